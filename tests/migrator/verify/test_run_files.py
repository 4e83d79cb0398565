"""Files that a job reads by relative paths are where it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dstream_compat.testing.results import Results
from migrator.verify import programs
from migrator.verify.obstacles import of_original
from migrator.verify.programs import copy_files
from tests.support.migrator.runs import Run

Jobs = Callable[..., list[str | Path]]
Migrate = Callable[..., Run]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with some files."""
    for name in ("conf/x.ini", "words.txt", "conf/deep/y.ini", "big.bin", "secret"):
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_text(name)
    (tmp_path / "outside").write_text("outside")
    (tmp_path / "run").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def copied(place: Path, program: str, *arguments: str) -> set[str]:
    job = place / "job.py"
    job.write_text(program)
    copy_files(job, arguments, place / "run")
    found = [path for path in (place / "run").rglob("*") if path.is_file()]
    assert all(path.read_text() == str(path.relative_to(place / "run")) for path in found)
    return {str(path.relative_to(place / "run")) for path in found}


def test_a_file_that_the_program_names(place: Path) -> None:
    assert copied(place, "NAME = 'conf/x.ini'\nopen(NAME)\n") == {"conf/x.ini"}


def test_a_file_that_a_module_names(place: Path) -> None:
    (place / "settings.py").write_text("import more\n")
    (place / "more.py").write_text("import settings, os\nX = open('./words.txt')\n")
    assert copied(place, "from settings import X\n") == {"words.txt"}


def test_a_file_that_an_argument_names(place: Path) -> None:
    assert copied(place, "", "localhost", "conf/deep/y.ini", "9999") == {"conf/deep/y.ini"}


@pytest.mark.parametrize(
    "program",
    [
        "open('../outside')",
        "open('conf')",
        "open('missing.txt')",
        "open('')",
        "open('a\\0b')",
        f"open('{'x' * 5000}')",
        f"open('{'x' * 300}')",
        "open('\\ud800')",
        "# words.txt",
        "open('words' + '.txt')",
        "open('words.txt'",
        "open(b'words.txt')",
    ],
)
def test_what_is_not_copied(place: Path, program: str) -> None:
    assert copied(place, program) == set()
    assert copied(place, f"open({str(place / 'work' / 'words.txt')!r})") == set()


def test_large_files_are_not_copied_unless_an_argument_names_them(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "LARGEST", 3)
    assert copied(place, "open('big.bin')") == set()
    assert copied(place, "", "big.bin") == {"big.bin"}


def test_the_original_is_not_written_and_no_copy_is_replaced(place: Path) -> None:
    assert copied(place, "open('words.txt')") == {"words.txt"}
    (place / "run" / "words.txt").write_text("changed by the job")
    copy_files(place / "job.py", (), place / "run")
    assert (place / "run" / "words.txt").read_text() == "changed by the job"
    assert (place / "work" / "words.txt").read_text() == "words.txt"


def test_who_may_read_a_file_stays(place: Path) -> None:
    (place / "work" / "secret").chmod(0o400)
    assert copied(place, "open('secret')", "secret") == {"secret"}
    assert (place / "run" / "secret").stat().st_mode & 0o777 == 0o600
    # a second run replaces what an argument names
    assert copied(place, "", "secret") == {"secret"}


@pytest.mark.parametrize(
    ("error", "path"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: 'conf/x'", "conf/x"),
        (
            "pyspark.errors.AnalysisException: [PATH_NOT_FOUND] Path does not exist: "
            "file:/out/old/a.csv. SQLSTATE: 42K03",
            "/out/old/a.csv",
        ),
        (
            "py4j.protocol.Py4JJavaError: An error occurred.\n: org.apache.hadoop.mapred."
            "InvalidInputException: Input path does not exist: file:/out/old/b",
            "/out/old/b",
        ),
    ],
)
def test_a_missing_file_is_named_with_what_to_do(error: str, path: str) -> None:
    obstacle = of_original(Results(end="failed", error=error), "ssc.start()")
    assert obstacle is not None
    assert obstacle.advice.startswith(f"let it find {path}: relative paths are read in the folder")
    assert "start `migrate verify` in the folder in which the job is started" in obstacle.advice


def test_other_errors_have_other_advice() -> None:
    obstacle = of_original(Results(end="failed", error="ValueError: no path"), "ssc.start()")
    assert obstacle is not None
    assert "let it find" not in obstacle.advice


def test_each_job_gets_what_it_names(
    jobs: Jobs, migrate: Migrate, place: Path, tmp_path: Path
) -> None:
    program = "from pyspark.streaming import x\nopen('conf/x.ini')\n"
    assert migrate(*jobs("open('conf/x.ini')", old=program)).code == 0
    assert (tmp_path / "out" / "old" / "conf" / "x.ini").exists()
    # a comment names nothing
    assert not (tmp_path / "out" / "new" / "conf").exists()
