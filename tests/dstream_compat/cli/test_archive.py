"""``python -m dstream_compat archive``: later JVMs begin with the classes that jobs load."""

from __future__ import annotations

from pathlib import Path

import pytest

from dstream_compat.cli.archive import OPTIONS, archive_path, with_archive, write_archive
from tests.support.streaming.processes import run_python

JOB = """\
from pyspark import SparkContext
sc = SparkContext("local[1]", "job")
print(sc._jvm.java.lang.Math.max(3, 1))
beans = sc._jvm.java.lang.management.ManagementFactory
arguments = list(beans.getRuntimeMXBean().getInputArguments())
print([one for one in arguments if one.startswith("-XX:SharedArchiveFile")])
"""


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(OPTIONS, raising=False)
    monkeypatch.delenv("SPARK_HOME", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def archive(cache: Path) -> Path:
    path = archive_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not what a JVM can read")
    return path


def test_without_an_archive_nothing_changes(cache: Path) -> None:
    assert with_archive({}) == {}
    assert with_archive({OPTIONS: "-Dx=1"}) == {OPTIONS: "-Dx=1"}


def test_an_archive_is_used(archive: Path) -> None:
    assert with_archive({"A": "b"}) == {
        "A": "b",
        OPTIONS: f"-XX:SharedArchiveFile={archive} -Xlog:cds*=off",
    }
    assert with_archive({OPTIONS: "-Dx=1"})[OPTIONS].endswith("-Xlog:cds*=off -Dx=1")


@pytest.mark.parametrize("given", ["-XX:SharedArchiveFile=/mine", "-XX:ArchiveClassesAtExit=/x"])
def test_an_archive_of_the_users_is_kept(archive: Path, given: str) -> None:
    assert with_archive({OPTIONS: given}) == {OPTIONS: given}


def test_each_spark_has_an_archive_of_its_own(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = archive_path()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert archive_path() != before
    assert archive_path().parent == before.parent == cache / "dstream-compat"


def test_paths_that_spark_would_cut_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    archive_path().parent.mkdir(parents=True)
    archive_path().write_bytes(b"")
    assert with_archive({}) == {}
    done = run_python("-m", "dstream_compat", "archive")
    assert done.code == 1 and "a path with a space" in done.err


@pytest.mark.parametrize("error", [PermissionError("not yours"), RuntimeError("no home")])
def test_who_has_no_home_has_no_archive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def no_home() -> Path:
        raise error

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert with_archive({"A": "b"}) == {"A": "b"}
    assert write_archive() == 1
    assert str(error) in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    done = run_python("-m", "dstream_compat", "archive")
    assert done.code == 1 and str(tmp_path / "file") in done.err
    assert "Traceback" not in done.err


@pytest.mark.slow
def test_a_job_that_fails_is_told(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--no-such-option pyspark-shell")
    done = run_python("-m", "dstream_compat", "archive")
    assert done.code == 1 and "the job failed" in done.err
    assert not archive_path().exists() and not list(archive_path().parent.iterdir())


@pytest.mark.slow
def test_a_broken_archive_harms_nobody(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    done = run_python("-m", "dstream_compat", "run", str(tmp_path / "job.py"))
    assert done.code == 0, done.err
    assert done.out.splitlines()[0] == "3"
    assert "cds" not in done.out + done.err


@pytest.mark.slow
@pytest.mark.full
def test_write_and_use(cache: Path, tmp_path: Path) -> None:
    done = run_python("-m", "dstream_compat", "archive")
    assert done.code == 0, done.err
    assert str(archive_path()) in done.out
    assert [path.name for path in archive_path().parent.iterdir()] == [archive_path().name]
    assert archive_path().stat().st_size > 50 << 20
    (tmp_path / "job.py").write_text(JOB)
    for command in ("run", "submit"):
        done = run_python("-m", "dstream_compat", command, str(tmp_path / "job.py"))
        assert done.code == 0, done.err
        assert done.out.splitlines() == ["3", f"['-XX:SharedArchiveFile={archive_path()}']"]
