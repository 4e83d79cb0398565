"""Settings are what spark-submit takes them for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dstream_compat.cli.options import option, read_properties, setting, with_option

KEY = "spark.jars.packages"


@pytest.fixture(autouse=True)
def defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    return tmp_path / "spark-defaults.conf"


def packages(*arguments: str) -> str | None:
    return setting(arguments, KEY, "--packages")


def test_options() -> None:
    arguments = ["--a", "1", "--b=2", "--a=3", "script", "--c", "4"]
    assert [option(arguments, name) for name in ("--a", "--b", "--c")] == ["3", "2", None]
    given = ["--a", "1", "--b=2", "--a=3", "script"]
    assert with_option(given, "--a", "9") == ["--a", "9", "--b=2", "script"]
    assert option(["--verbose", "--load-spark-defaults", "--a", "--b"], "--a") == "--b"


def test_an_option_beats_conf_which_beats_files(defaults: Path, tmp_path: Path) -> None:
    assert packages() is None
    defaults.write_text(f"{KEY} default\n")
    assert packages("--name", "x") == "default"
    own, extra, later = (tmp_path / name for name in ("own", "extra", "later"))
    own.write_text(f"{KEY}=own\n")
    files = ["--properties-file", str(own)]
    assert packages(*files) == "own"
    for path, text in ((extra, "extra"), (later, "later")):
        path.write_text(f"{KEY}: {text}\n")
        files += ["--extra-properties-file", str(path)]
        assert packages(*files) == text
    assert packages(*files, "--conf", f"{KEY}=a", f"--conf={KEY}=b") == "b"
    assert packages(*files, "-c", f"{KEY}=c") == "c"
    assert packages("--packages", "option", "--conf", f"{KEY}=c") == "option"


def test_default_properties_beside_a_file_of_properties(defaults: Path, tmp_path: Path) -> None:
    defaults.write_text(f"{KEY} default\n")
    own = tmp_path / "own"
    own.write_text("spark.app.name x\n")
    files = ["--properties-file", str(own)]
    assert packages(*files) is None
    assert packages(*files, "--load-spark-defaults") == "default"
    assert packages("--properties-file", str(tmp_path / "missing")) is None


def test_default_properties_of_spark_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SPARK_CONF_DIR")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text(f"{KEY} default\n")
    assert packages() == "default"


def test_java_properties(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_text(
        "# a comment\n  ! another\n\nspark.a 1 2 \nspark.b=x=y\nspark.c : z\nspark.d\n"
        "spark.e a,\\\n    b\nspark.f=C:\\\\x\nspark.g=\\u0041\\tb\nspark\\:h=1\n"
        "spark.i=last\\"
    )
    assert read_properties(path) == {
        "spark.a": "1 2",
        "spark.b": "x=y",
        "spark.c": "z",
        "spark.d": "",
        "spark.e": "a,b",
        "spark.f": "C:\\x",
        "spark.g": "A\tb",
        "spark:h": "1",
        "spark.i": "last",
    }
