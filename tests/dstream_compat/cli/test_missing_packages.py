"""What `run` and `submit` say where spark-submit could not fetch a package, and where nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import dstream_compat.cli.submit as submitting
from dstream_compat.cli.missing_packages import missing_packages


@pytest.fixture
def ivy(tmp_path: Path) -> Path:
    """Return a folder of Ivy that was used."""
    for name in ("cache", "jars"):
        (tmp_path / "ivy" / name).mkdir(parents=True)
    return tmp_path / "ivy"


def options(ivy: Path, packages: str) -> list[str]:
    return ["--conf", f"spark.jars.ivy={ivy}", "--packages", packages]


def test_other_failures_are_not_those_of_packages(ivy: Path) -> None:
    before = ivy.joinpath("cache").stat().st_mtime - 1
    wanted = options(ivy, "a.b:c:1,d:e:2")
    assert "since a.b:c:1, d:e:2 could not" in str(missing_packages(wanted, before))
    (ivy / "jars" / "a.b_c-1.jar").touch()
    assert "since d:e:2 could not" in str(missing_packages(wanted, before))
    # Ivy has not run since: Java, for one thing, was not found
    assert missing_packages(wanted, before + 2) is None
    (ivy / "jars" / "d_e-2.jar").touch()
    assert missing_packages(wanted, before) is None
    assert missing_packages(["--conf", f"spark.jars.ivy={ivy}"], before) is None


@pytest.mark.parametrize("version", ["latest.release", "1.+", "[1,2)", "]1,2[", "(,2]"])
def test_what_only_ivy_can_name_is_not_looked_for(ivy: Path, version: str) -> None:
    wanted = f"a.b:c:{version}"
    assert missing_packages(["--conf", f"spark.jars.ivy={ivy}", "--packages", wanted], 0.0) is None


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the home of a user without a name, as in containers of OpenShift."""

    def getpwuid(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr("pwd.getpwuid", getpwuid)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_a_user_without_a_name(user: Path) -> None:
    assert missing_packages([], 0.0) is None
    assert missing_packages(["--packages", "a:b:1"], 1.0) is None
    (user / ".ivy2.5.2" / "cache").mkdir(parents=True)
    told = str(missing_packages(["--packages", "a:b:1"], 0.0))
    assert f"Looked for in {user}/.ivy2.5.2, {user}/.m2/repository" in told


def test_jars_of_older_sparks_are_not_looked_at(user: Path) -> None:
    for name in (".ivy2.5.2/cache", ".ivy2/jars", ".ivy2/cache"):
        (user / name).mkdir(parents=True)
    (user / ".ivy2" / "jars" / "a_b-1.jar").touch()
    assert "since a:b:1 could not" in str(missing_packages(["--packages", "a:b:1"], 0.0))


SPARK_SUBMIT = """#!/bin/sh
mkdir -p "$IVY/cache" && touch -d "1 minute" "$IVY/cache"
[ -z "$BEGINS" ] || %s -c 'from dstream_compat.cli.missing_packages import *; say_begun()'
exit 1
"""


@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("mode", ["client", "cluster"])
def test_only_what_did_not_begin_lacks_packages(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    begins: bool,
    mode: str,
) -> None:
    """A job of a package without a jar ends with 1 for its own reasons."""
    script = tmp_path / "bin" / "spark-submit"
    script.parent.mkdir()
    script.write_text(SPARK_SUBMIT % sys.executable)
    script.chmod(0o755)
    monkeypatch.setattr(submitting, "spark_home", lambda: str(tmp_path))
    monkeypatch.setattr(submitting, "unfit_home", lambda: None)
    monkeypatch.setattr(submitting.signal, "signal", lambda number, handler: None)
    monkeypatch.setenv("IVY", str(tmp_path / "ivy"))
    monkeypatch.setenv("BEGINS", "yes" if begins else "")
    job = tmp_path / "job.py"
    job.touch()
    given = [*options(tmp_path / "ivy", "a.b:only-a-pom:1"), "--deploy-mode", mode, str(job)]
    for _ in range(2):
        assert submitting.submit(given) == 1
        told = "Spark could not be started" in capfd.readouterr().err
        assert told is (mode == "client" and not begins)


def test_where_was_looked(ivy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [*options(ivy, "d:e:2"), "--repositories", "https://more"]
    monkeypatch.delenv("DEFAULT_ARTIFACT_REPOSITORY", raising=False)
    told = str(missing_packages(wanted, 0.0))
    assert f"Looked for in {ivy}, https://more, " in told
    assert ".m2/repository, https://repo1.maven.org/maven2/, https://repos.spark-packages" in told
    assert "dstream_compat jars" not in told, "which fetches the connector of Kafka only"
    monkeypatch.setenv("DEFAULT_ARTIFACT_REPOSITORY", "https://mirror/")
    told = str(missing_packages(wanted, 0.0))
    assert "https://mirror/, https://repos" in told and "repo1" not in told
