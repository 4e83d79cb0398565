"""`migrate verify` compares two jobs, and says plainly where that is not possible."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dstream_compat.testing.results import RUNS, read_results
from migrator.verify import process
from migrator.verify.pairing import kept_windows
from tests.migrator.verify.conftest import BATCHES
from tests.support.fenced import ROOT
from tests.support.migrator.runs import Run

pytestmark = pytest.mark.slow

Jobs = Callable[..., list[str | Path]]
Migrate = Callable[..., Run]


def test_equal(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    run = migrate(*jobs())
    assert run.code == 0
    assert "job.py: equal" in run.out
    assert "5 of 5 batches equal; 1 output; rows: 12 old, 12 new, 12 in both (100.0%)" in run.out
    verdict = json.loads((tmp_path / "out" / "verdict.json").read_text())
    assert verdict["result"] == "equal"


def test_different(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    run = migrate(*jobs("WRONG"))
    assert run.code == 1
    assert "different, first in batch 4, pprint at job.py:3: the rows differ" in run.out
    assert "operator: reduceByKey at job.py:2" in run.out
    assert "('c', 1)" in run.out
    assert "('c', 2)" in run.out
    assert "(1 batch, 2 records)" in run.out
    smallest = (tmp_path / "out" / "smallest.jsonl").read_text().splitlines()
    assert json.loads(smallest[1])["input"] == {"socket:9999": ["b a", "q c"]}


def test_the_smallest_input_is_a_test(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(*jobs("WRONG"), "--real", "sqlite3")
    test = tmp_path / "out" / "test_job.py"
    text = test.read_text()
    assert """'--real', 'sqlite3', "--no-shrink",""" in text
    assert text.count("--real") == 1
    start = f"import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    start += "import sys; from migrator.cli.main import main; sys.exit(main())"
    assert '"-m", "migrator"' in text
    test.write_text(text.replace('"-m", "migrator"', f'"-c", {start!r}'))

    def run_test() -> None:
        runpy.run_path(str(test))["test_job"]()

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with pytest.raises(AssertionError, match=r"\('c', 2\)"):
        run_test()
    new = tmp_path / "new.py"
    new.write_text(new.read_text().replace("WRONG", ""))
    run_test()


def test_no_shrinking(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    assert migrate(*jobs("WRONG"), "--no-shrink").code == 1
    assert not (tmp_path / "out" / "smallest.jsonl").exists()


@pytest.mark.parametrize("form", ["json", "junit", "html"])
@pytest.mark.parametrize(("new", "code"), [("", 0), ("WRONG", 1), ("REFUSES", 2)])
def test_forms(jobs: Jobs, migrate: Migrate, form: str, new: str, code: int) -> None:
    run = migrate(*jobs(new), "--no-shrink", "--format", form)
    assert run.code == code
    if form == "json":
        found = json.loads(run.out)
        assert found["result"] == ("equal", "different", "not comparable")[code]
        assert (found["first_difference"] is not None) is (code == 1)
    elif form == "junit":
        suite = ElementTree.fromstring(run.out)[0]
        assert suite.attrib["failures"] == str(int(code == 1))
        assert suite.attrib["errors"] == str(int(code == 2))
        assert len(suite.findall(".//failure")) == int(code == 1)
    else:
        assert run.out.startswith("<!DOCTYPE html>")
        assert ("<td>('c', 2)</td>" in run.out) is (code == 1)


def test_ignored_fields(jobs: Jobs, migrate: Migrate) -> None:
    assert migrate(*jobs("WRONG"), "--ignore", "1").code == 0
    assert migrate(*jobs("WRONG"), "--ignore", "0", "--no-shrink").code == 1


def test_recorded_results_of_the_original(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    assert migrate(*jobs()).code == 0
    expected = tmp_path / "expected.jsonl"
    (tmp_path / "out" / "old.jsonl").rename(expected)
    assert migrate(*jobs(old="FAILS"), "--expected", expected).code == 0
    run = migrate(*jobs("WRONG", old="FAILS"), "--expected", expected)
    assert run.code == 1
    assert "operator: reduceByKey at job.py:2" in run.out
    assert "dstreams, recorded" in run.out


REFUSED = [
    ("CLOCK", "CLOCK", "the original differs from itself", "--ignore"),
    (
        "",
        "EXITS",
        "ended before it started a streaming context: the job called sys.exit(255)\n"
        "  this is the log",
        "after `--`",
    ),
    ("", "NOTHING", "has no output", "pprint()"),
    ("STALLS", "", "the migrated job was ended in batch 2: Spark waited", "the machine does less"),
    ("", "STALLS", "the original was ended in batch 2: Spark waited", "the machine does less"),
    (
        "",
        "LEAVES",
        "original ended with exit code 7 and no error; it had come to batch 1",
        "os._exit",
    ),
    ("REFUSES", "", "the migrated job could not be run (exit code 2)", "new.log"),
    ("", "REFUSES", "the original could not be run (exit code 2)", "old.log"),
]


@pytest.mark.parametrize(("new", "old", "what", "advice"), REFUSED)
def test_not_comparable(
    jobs: Jobs, migrate: Migrate, new: str, old: str, what: str, advice: str
) -> None:
    run = migrate(*jobs(new, old=old))
    assert run.code == 2
    assert "job.py: not comparable: " in run.out
    assert what in run.out
    assert advice in run.out


def test_objects_that_have_only_an_address(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs("OBJECTS", old="OBJECTS"))
    assert run.code == 2
    assert "the original differs from itself" in run.out
    assert "note: pprint at job.py:3 on dstreams has 12 objects of Thing without" in run.out
    assert migrate(*jobs("OBJECTS", old="OBJECTS"), "--ignore", "1").code == 0


def test_what_makes_it_differ_from_itself_is_named(jobs: Jobs, migrate: Migrate) -> None:
    old = "import time\nfrom pyspark.streaming import x\nnow = time.time()  # CLOCK\n"
    run = migrate(*jobs("CLOCK", old=old))
    assert run.code == 2
    assert "time.time() in line 3 reads the clock" in run.out
    old = "import threading\nfrom pyspark.streaming import x\nthreading.Thread()  # CLOCK\n"
    assert "(a seed, a given time, no thread)" in migrate(*jobs("CLOCK", old=old)).out


def test_a_job_that_a_busy_machine_did_not_start_is_run_again(
    jobs: Jobs, migrate: Migrate, tmp_path: Path
) -> None:
    run = migrate(*jobs("STALLS AT ONCE"))
    assert run.code == 2
    assert "the migrated job was ended in batch 1" in run.out
    assert run.err.count("migrated job") == RUNS
    assert "running, again, again: migrated job" in run.err
    assert "again: original" not in run.err


def test_windows_that_keep_totals_are_named(jobs: Jobs, migrate: Migrate) -> None:
    old = "from pyspark.streaming import x\nx.countByWindow(3, 1)\nx.window(3).start()\n"
    run = migrate(*jobs(old=old))
    assert run.code == 0
    assert "the totals that the windows keep (line 2) are compared where they are given" in run.out


@pytest.mark.parametrize(
    ("call", "keeps"),
    [
        ("reduceByKeyAndWindow(f, g, 3, 1)", True),
        ("reduceByKeyAndWindow(f, None, 3, 1)", False),
        ("reduceByKeyAndWindow(f, invFunc=g, windowDuration=3)", True),
        ("reduceByWindow(f, g, 3, 1)", True),
        ("countByValueAndWindow(3, 1)", True),
        ("window(3, 1)", False),
        ("reduceByKey(f, 3)", False),
    ],
)
def test_windows_that_keep_totals(call: str, keeps: bool) -> None:
    assert kept_windows(f"\nstream.{call}\n") == ([2] if keeps else [])
    assert kept_windows("stream.(") == []


def test_a_job_that_never_starts(jobs: Jobs, migrate: Migrate) -> None:
    old = "from pyspark.streaming import x\n# NOTHING\n"
    run = migrate(*jobs(old=old))
    assert run.code == 2
    assert "never starts a streaming context" in run.out


def test_time_is_bounded(jobs: Jobs, migrate: Migrate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_GRACE_SECONDS", 0.0)
    run = migrate(*jobs("SLEEPS"), "--timeout", "2")
    assert run.code == 2
    assert "it took longer than 2 s" in run.out
    assert "--timeout" in run.out


def test_memory_is_bounded(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs("EATS"), "--memory", "128m")
    assert run.code == 2
    assert "more than 128 MiB" in run.out
    assert "--memory" in run.out


def test_memory_is_bounded_unless_that_is_said(
    jobs: Jobs, migrate: Migrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "machine_bytes", lambda: 2**28)
    run = migrate(*jobs("EATS"))
    assert run.code == 2
    assert "more than 128 MiB" in run.out


def test_a_search_whose_process_dies_is_ended_and_told(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs("WRONG, DIES IN THE SEARCH"))
    assert run.code == 1
    assert "note: the search for the smallest input ended early: the process that runs" in run.out
    assert "ended with exit code 9" in run.out
    assert "session.log" in run.out


def test_a_migrated_job_that_fails_is_different(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs("FAILS"), "--no-shrink")
    assert run.code == 1
    assert "the migrated job fails in batch 4: ValueError: there is a c" in run.out
    assert "operator: reduceByKey at job.py:2" in run.out


@pytest.mark.parametrize("fails", ["new", "old"])
def test_a_failure_is_shrunk(jobs: Jobs, migrate: Migrate, tmp_path: Path, fails: str) -> None:
    run = migrate(*jobs(**{fails: "FAILS"}))
    assert run.code == 1
    assert "operator: reduceByKey at job.py:2" in run.out
    given = [line for line in BATCHES[3] if "c" in line]
    smallest = (tmp_path / "out" / "smallest.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in smallest[1:]]
    # what the original gave before it failed is what a test compares with
    batch = {"new": 1, "old": 2}[fails]
    assert {"batch": batch, "input": {"socket:9999": given}} in found
    assert (tmp_path / "out" / "test_job.py").exists()
    expected = read_results(tmp_path / "out" / "smallest-expected.jsonl")
    assert expected.end == {"new": "stopped", "old": "failed"}[fails]


def test_a_failure_in_an_earlier_batch_is_shrunk(
    jobs: Jobs, migrate: Migrate, tmp_path: Path
) -> None:
    run = migrate(*jobs("FAILS AT b", old="FAILS"))
    assert run.code == 1
    assert "(1 batch, 1 record)" in run.out
    assert '"b"' in (tmp_path / "out" / "smallest.jsonl").read_text()


def test_a_job_that_fails_once_differs_from_itself(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs(old="FAILS ONCE"))
    assert run.code == 2
    assert "two runs over the same batches differ in how they end" in run.out


def test_batches_that_give_nothing_are_warned_of(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs(batches=[[""], [""]]))
    assert run.code == 0
    assert "job.py: equal, but no output gave a row" in run.out
    assert "warning: no output gave a row in any batch" in run.out


def test_jobs_that_fail_alike_are_equal(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs("FAILS", old="FAILS"))
    assert run.code == 0
    assert "both jobs fail in batch 4 with ValueError: there is a c" in run.out


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ("FAILS AT b", "the migrated job fails in batch 1 with ValueError: there is a b"),
        ("FAILS AT x", "the migrated job fails in batch 4 with ValueError: there is a x"),
        ("FAILS WITH KeyError", "the migrated job fails in batch 4 with KeyError: there is a c"),
    ],
)
def test_jobs_that_fail_in_different_ways_are_different(
    jobs: Jobs, migrate: Migrate, new: str, text: str
) -> None:
    run = migrate(*jobs(new, old="FAILS"), "--no-shrink")
    assert run.code == 1
    assert f"the original fails in batch 4 with ValueError: there is a c; {text}" in run.out
    assert "both jobs fail" not in run.out


def test_ctrl_c_ends_both_jobs_and_names_what_is_there(jobs: Jobs, tmp_path: Path) -> None:
    arguments = jobs("SLEEPS", old="SLEEPS")
    code = f"import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    code += "import sys; from migrator.cli.main import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    assert "running" in running.stderr.readline()
    results = tmp_path / "out" / "old.jsonl"
    while not results.exists() or b'"end"' not in results.read_bytes():
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "no job runs any more" in errors
    assert str(results) in errors
    # nothing that runs has the results open or in its arguments
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
        except OSError:
            continue
        assert str(results).encode() not in command


def test_ctrl_c_ends_the_search_for_the_smallest_input(jobs: Jobs, tmp_path: Path) -> None:
    waits = [sys.executable, "-c", "import threading; threading.Event().wait()", str(tmp_path)]
    code = f"import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    code += f"import migrator.verify.session as s; s.COMMAND = {waits!r}; "
    code += "import sys; from migrator.cli.main import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, jobs("WRONG"))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    while "smallest" not in running.stderr.readline():
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "no job runs any more" in errors
    assert str(tmp_path / "out" / "old.jsonl") in errors
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes()
        except OSError:
            continue
        assert str(tmp_path).encode() not in command


def test_what_the_folder_has_is_kept(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x")
    run = migrate(*jobs())
    assert run.code == 2
    assert "has not made" in run.err
    assert (tmp_path / "out" / "mine.txt").exists()


def test_a_bad_recording_is_named_with_its_line(
    jobs: Jobs, migrate: Migrate, tmp_path: Path
) -> None:
    arguments = jobs()
    path = tmp_path / "batches.jsonl"
    with path.open("a") as file:
        file.write('{"batch": 9, "input": {"socket:9999": [{"$value": ["foo"]}]}}\n')
    run = migrate(*arguments)
    assert run.code == 2
    assert f"{path}, line 6: a value of $value cannot be read" in run.err
    assert not (tmp_path / "out").exists()


def test_its_own_folder_is_replaced(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    migrate(*jobs("WRONG"))
    assert migrate(*jobs()).code == 0
    assert not (tmp_path / "out" / "smallest.jsonl").exists()


@pytest.mark.parametrize("option", ["--input", "--expected"])
def test_what_is_given_is_not_replaced(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, option: str
) -> None:
    arguments = jobs("WRONG")
    assert migrate(*arguments).code == 1
    before = sorted((tmp_path / "out").rglob("*"))
    given = {"--input": "smallest.jsonl", "--expected": "old.jsonl"}[option]
    run = migrate(*arguments, option, tmp_path / "out" / given)
    assert run.code == 2
    assert f"{given} is in the folder of an earlier verification" in run.err
    run = migrate(*arguments, "--expected", tmp_path / "job.py")
    assert run.code == 2
    assert "not a line of results" in run.err
    assert sorted((tmp_path / "out").rglob("*")) == before


def test_a_folder_that_cannot_be_made(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    run = migrate(*jobs(), "--out", tmp_path / "job.py" / "out")
    assert run.code == 2
    assert "job.py/out: Not a directory; name another folder with --out" in run.err


def test_only_its_own_folder_is_written(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = jobs("WRONG")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    before = {path: path.read_bytes() for path in tmp_path.glob("*.*")}
    migrate(*arguments)
    assert {path: path.read_bytes() for path in tmp_path.glob("*.*")} == before
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {
        *(path.name for path in before),
        *("elsewhere", "out"),
    }


WRONG_USE: list[tuple[list[str], str]] = [
    ([], "name a JOB, or a project with --all"),
    (["job.py"], "give recorded batches with --input"),
    (["job.py", "--input", ""], "--input is empty"),
    (["job.py", "--input", "b", "--migrated", "m", "--target", "structured"], "not allowed with"),
    (["job.py", "--input", "b", "--timeout", "0"], "no number of seconds above 0"),
    (["job.py", "--input", "b", "--timeout", "nan"], "no number of seconds above 0"),
    (["job.py", "--input", "b", "--memory", "4"], "no size"),
    (["job.py", "--input", "b", "--tolerance", "-1"], "no number from 0"),
    (["job.py", "--input", "b", "--format", "xml"], "invalid choice"),
    (["job.py", "--live"], "--live needs --batches"),
    (["job.py", "--live", "--batches", "0"], "no number above 0"),
    (["job.py", "--live", "--batches", "1", "--input", "b"], "leave out --input"),
    (["job.py", "--input", "b", "--source", "socket:h:1"], "with --live only"),
    (["job.py", "--input", "b", "--unknown"], "unrecognized arguments"),
    (["no.py", "--input", "b"], "no.py is no file"),
]


@pytest.mark.parametrize(("arguments", "text"), WRONG_USE)
def test_wrong_use(
    migrate: Migrate,
    arguments: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.py").write_text("from pyspark.streaming import x\n")
    run = migrate("verify", *arguments)
    assert run.code == 2
    assert text in run.err
    assert {path.name for path in tmp_path.iterdir()} <= {"job.py", "verify-job"}


BAD_INPUT: list[tuple[str, str]] = [
    ("", "empty"),
    ("x\n", "JSON"),
    ('{"format": 9}\n', "format"),
    ('{"format": 1, "interval": 0, "sources": {}}\n', "interval"),
    ('{"format": 1, "interval": 1, "sources": {"x": {}}}\n', "source"),
    ('{"format": 1, "interval": 1, "sources": {"socket:1": {}}}\n', "no batches"),
]


@pytest.mark.parametrize(("text", "message"), BAD_INPUT)
def test_input_that_is_no_recording(
    jobs: Jobs, migrate: Migrate, tmp_path: Path, text: str, message: str
) -> None:
    arguments = jobs()
    (tmp_path / "batches.jsonl").write_text(text)
    run = migrate(*arguments)
    assert run.code == 2
    assert message in run.err


def test_a_migrated_job_is_no_original(jobs: Jobs, migrate: Migrate) -> None:
    run = migrate(*jobs(old="from dstream_compat import StreamingContext\n"))
    assert run.code == 2
    assert "imports no pyspark.streaming" in run.err


def test_help_needs_neither_spark_nor_libcst() -> None:
    code = "import sys; from migrator.cli.main import main\ntry:\n    main()\nexcept SystemExit:\n"
    code += "    print(sorted({'libcst', 'pyspark', 'rich'} & sys.modules.keys()))"
    for name in ("verify", "record", "test-scaffold"):
        done = subprocess.run(
            [sys.executable, "-c", code, name, "--help"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "[]"
        assert f"usage: migrate {name}" in done.stdout


def test_a_verification_imports_no_spark(jobs: Jobs) -> None:
    arguments = [str(word) for word in jobs()]
    code = f"import migrator.verify.process as p; p.COMMAND = {process.COMMAND!r}; "
    code += "import sys; from migrator.cli.main import main; main(); "
    code += "print(sorted({'libcst', 'pyspark'} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_copy_is_migrated(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    arguments = [word for word in jobs() if word not in ("--migrated", tmp_path / "new.py")]
    code = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    code += "ssc = StreamingContext(SparkContext(), 1)\nssc.socketTextStream('h', 9999).pprint()\n"
    (tmp_path / "job.py").write_text(code + "ssc.start()\nssc.awaitTermination()\n")
    run = migrate(*arguments)
    assert run.code == 0, run.err
    copy = tmp_path / "out" / "migrated" / "job.py"
    assert "from dstream_compat import StreamingContext" in copy.read_text()
    assert "on compat" in run.out


def test_what_cannot_be_migrated(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    arguments = [word for word in jobs() if word not in ("--migrated", tmp_path / "new.py")]
    (tmp_path / "job.py").write_text("import pyspark.streaming_tools\n")
    run = migrate(*arguments)
    assert run.code == 2
    assert "could not be migrated" in run.err
