"""The process that runs one job: wrong use, and how a job may end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dstream_compat.testing import Recording, Results, read_results, write_batches
from dstream_compat.testing.run_job import main
from tests.support.fenced import ROOT
from tests.support.page_commands import environment

SOURCES = {"socket:9999": {}}


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    batches = {1: {"socket:9999": ["a b", "a"]}, 3: {"socket:9999": ["b"]}}
    write_batches(tmp_path / "batches.jsonl", Recording(1.0, SOURCES, batches))
    return tmp_path / "batches.jsonl"


def command(folder: Path, *more: str, job: str = "job.py", engine: str = "compat") -> list[str]:
    names = ("--input", str(folder / "batches.jsonl"), "--output", str(folder / "results.jsonl"))
    return ["--engine", engine, *names, *more, str(folder / job)]


def run(
    folder: Path, code: str, *args: str, engine: str = "compat", timeout: float = 300
) -> tuple[int, Results]:
    (folder / "job.py").write_text(code, encoding="utf-8")
    given = command(folder, "--timeout", str(timeout), engine=engine)
    done = subprocess.run(
        [sys.executable, "-m", "dstream_compat.testing.run_job", *given, *args],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, read_results(folder / "results.jsonl")


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["--engine", "flink"],
        ["--engine", "compat", "--input", "b", "--output", "o"],
        ["--engine", "compat", "--input", "b", "--output", "o", "--interval", "0", "job.py"],
        ["--engine", "structured", "--input", "b", "--output", "o", "--interval", "1e-4", "job.py"],
        ["--engine", "compat", "--input", "b", "--output", "o", "--timeout", "soon", "job.py"],
        ["--engine", "compat", "--input", "b", "--output", "o", "--batches", "-1", "job.py"],
    ],
)
def test_wrong_arguments(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read"),
        ("", "is empty"),
        ("no JSON\n", "line 1 is not JSON"),
        ('{"format": 1, "interval": 1, "sources": {}}\n', "has no batches: say how many"),
    ],
)
def test_unreadable_input(
    tmp_path: Path, text: str | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "job.py").touch()
    if text is not None:
        (tmp_path / "batches.jsonl").write_text(text)
    assert main(command(tmp_path)) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "results.jsonl").exists()


def test_a_job_that_is_not_there(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(recorded.parent, job="other.py")) == 2
    assert "there is no job" in capsys.readouterr().err


def test_no_folder_for_the_results(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded.parent / "job.py").touch()
    names = ["--input", str(recorded), "--output", str(recorded.parent / "no" / "results")]
    assert main(["--engine", "compat", *names, str(recorded.parent / "job.py")]) == 2
    assert "there is no folder for" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "exit_code", "end", "error"),
    [
        ("import sys\nraise KeyError(sys.argv[1])", 3, "failed", "KeyError: '--verbose'"),
        ("def broken(:", 3, "failed", "SyntaxError"),
        ("import sys\nsys.exit(4)", 3, "failed", "the job called sys.exit(4)"),
        ("import sys\nsys.exit()", 0, "exited", "before it started a context"),
        ("print('done')", 0, "exited", "before it started a context"),
        ("import argparse\nargparse.ArgumentParser().parse_args()", 3, "failed", "sys.exit(2)"),
    ],
)
def test_how_a_job_ends(recorded: Path, code: str, exit_code: int, end: str, error: str) -> None:
    found, results = run(recorded.parent, code, "--verbose")
    assert (found, results.end) == (exit_code, end)
    assert error in str(results.error)
    assert results.header["args"] == ["--verbose"]
    assert results.outputs == []


EXITS_IN_A_BATCH = """
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
batches = []


def end(rdd):
    batches.append(rdd.count())
    if len(batches) == 2:
        sys.exit(0)


ssc.socketTextStream("localhost", 9999).foreachRDD(end)
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("engine", ["compat", "dstreams"])
def test_an_output_that_ends_the_program(recorded: Path, engine: str) -> None:
    _, results = run(recorded.parent, EXITS_IN_A_BATCH, engine=engine)
    assert results.end == "failed"
    assert "SystemExit" in results.error
    assert (results.failed, results.last_complete()) == (2, 1)


@pytest.mark.slow
def test_a_job_that_never_ends(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (recorded.parent / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(recorded.parent / "tmp"))
    code = "import threading\n\nthreading.Event().wait()\n"
    found, results = run(recorded.parent, code, timeout=3)
    assert (found, results.end) == (4, "timed out")
    assert results.error == ("after 3 s the job has not started a context; the job is at job.py:3")
    assert results.seconds >= 3
    assert results.peak_bytes > 10_000_000
    assert not list((recorded.parent / "tmp").iterdir())


@pytest.mark.slow
def test_a_job_with_a_session_threads_and_files(recorded: Path) -> None:
    code = (ROOT / "tests/support/streaming/jobs/tested_job.py").read_text()
    found, results = run(recorded.parent, code, "--port", "9999", "counts.txt")
    assert (found, results.end, results.error) == (0, "stopped", "")
    names = [(one.name, one.kind, one.operator, one.ordered) for one in results.outputs]
    assert names == [
        ("foreachRDD at job.py:30", "foreachRDD", "reduceByKey at job.py:29", False),
        ("pprint at job.py:31", "pprint", "transform at job.py:31", True),
        ("show at job.py:19", "show", "foreachRDD at job.py:30", False),
        ("lines printed by foreachRDD at job.py:30", "printed", "foreachRDD at job.py:30", True),
        ("file counts.txt", "files", "foreachRDD at job.py:30", True),
    ]
    first = [results.rows(1, number) for number in range(5)]
    a, b = (["tuple", [["str", word], ["int", n]]] for word, n in (("a", "2"), ("b", "1")))
    assert sorted(first[0]) == [a, b]
    assert first[1] == [a, b]
    assert len(first[2]) == 2
    assert first[3:] == [[["str", "2 words"]], [["str", "2"]]]
    assert [batches.get(2) for batches in results.runs] == [[[]], [[]], None, None, None]
    assert results.rows(3, 4) == [["str", "1"]]
    assert not (recorded.parent / "spark-warehouse").exists()
    assert not (recorded.parent / "checkpoint").exists()
    lines = (recorded.parent / "results.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["interval"] == 1
