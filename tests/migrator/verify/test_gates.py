"""`migrate` asks checks and verifications before it writes."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.verify import many
from migrator.verify.progress import JobsProgress
from tests.support.fenced import ROOT
from tests.support.migrator.git import commit, forget_settings, git
from tests.support.migrator.recorded_project import write
from tests.support.migrator.runs import JOB, Run
from tests.support.waiting import wait_for

Migrate = Callable[..., Run]
PYTHON = shlex.quote(sys.executable)
NEW = JOB.replace("pyspark.streaming", "dstream_compat")
# fails after the migration only
OLD_IMPORT = "assert 'pyspark.streaming' in open('one.py').read()"
# what stands for Spark gives another count where the job is migrated
WRONG_AFTER = f"{JOB}# WRONG IF MIGRATED\n"


def check(code: str) -> str:
    return f"{PYTHON} -c {shlex.quote(code)}"


def test_checks_that_pass(migrate: Migrate, project: Path) -> None:
    code = "import one_helper; open('left', 'w').write('x'); print('fine')"
    write(project / "one_helper.py", "")
    run = migrate(project, "--in-place", "--check-command", check(code))
    assert run.code == 0, run.err
    assert "on the original code: exit code 0" in run.err
    assert "on the migrated code: exit code 0" in run.err
    assert (project / "one.py").read_text() == NEW
    # each run had a copy of its own
    assert not (project / "left").exists()


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--in-place"], ["--check"]])
def test_checks_that_fail_after_the_migration(
    migrate: Migrate, project: Path, options: list[str]
) -> None:
    run = migrate(project, *options, "--check-command", check(OLD_IMPORT))
    assert run.code == 1
    assert "nothing was written: the checks pass on the original and fail after" in run.err
    assert "AssertionError" in run.err
    assert "would be rewritten" in run.out
    assert (project / "one.py").read_text() == JOB
    assert not project.with_name("project-migrated").exists()


def test_checks_that_always_fail_do_not_count(migrate: Migrate, project: Path) -> None:
    run = migrate(project, "--in-place", "--check-command", "exit 3")
    assert run.code == 0
    assert "fail on the original, too" in run.err
    assert (project / "one.py").read_text() == NEW


@pytest.mark.slow
def test_new_failures_of_pytest_are_named(migrate: Migrate, project: Path) -> None:
    write(
        project / "test_one.py",
        "def test_old(): assert 0\n\n"
        "def test_new(): assert 'pyspark.streaming' in open('one.py').read()\n",
    )
    command = f"{PYTHON} -m pytest -q -p no:cacheprovider"
    run = migrate(project, "--in-place", "--check-command", command)
    assert run.code == 1
    assert "more checks fail after the migration: 1 test: test_one.py::test_new" in run.err
    assert "exit code 1" in run.err
    assert (project / "one.py").read_text() == JOB


def test_checks_that_cannot_be_run(migrate: Migrate, project: Path) -> None:
    run = migrate(project, "--in-place", "--check-command", "no-such-program -q")
    assert run.code == 2
    assert "--check-command: 'no-such-program -q' cannot be run" in run.err
    assert (project / "one.py").read_text() == JOB


@pytest.mark.slow
def test_checks_that_do_not_end(migrate: Migrate, project: Path) -> None:
    code = (
        "import threading; 'dstream_compat' in open('one.py').read() and threading.Event().wait()"
    )
    run = migrate(project, "--in-place", "--check-command", check(code), "--check-timeout", "2")
    assert run.code == 1
    assert "did not end" in run.err
    assert (project / "one.py").read_text() == JOB


def test_a_file_is_checked_in_a_copy_of_its_folder(migrate: Migrate, project: Path) -> None:
    code = "import os; assert sorted(os.listdir())[-2:] == ['recordings', 'sub'], os.listdir()"
    run = migrate(project / "one.py", "--check-command", check(code))
    assert run.code == 0, run.err
    assert project.joinpath("one-migrated.py").read_text() == NEW


def test_a_dirty_tree_is_refused_before_anything_runs(
    migrate: Migrate, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_settings(monkeypatch, tmp_path)
    git(project, "init", "-q")
    commit(project)
    write(project / "plain.py", "print('changed')\n")
    run = migrate(project, "--in-place", "--check-command", "exit 0")
    assert run.code == 2
    assert "plain.py" in run.err
    assert "running" not in run.err


@pytest.mark.slow
def test_what_is_equal_is_written(migrate: Migrate, project: Path) -> None:
    run = migrate(project, "--in-place", "--verify", project / "recordings")
    assert run.code == 0, run.err
    assert "3 jobs: 2 equal, 1 no recording" in run.out
    assert (project / "one.py").read_text() == NEW
    # what was compared is kept
    assert Path("verify-all-project/migrated/one.py").read_text() == NEW
    verdict = json.loads(Path("verify-all-project/jobs/one.py/verdict.json").read_text())
    assert verdict["migrated"]["job"].endswith("verify-all-project/migrated/one.py")


@pytest.mark.slow
def test_an_interruption_keeps_the_verdicts(
    migrate: Migrate, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(running: list[str], results: list[Any]) -> None:
        if results:
            raise KeyboardInterrupt

    monkeypatch.setattr(JobsProgress, "__call__", lambda self, *step: stop(*step))
    monkeypatch.setattr(many, "jobs_at_once", lambda *_: 1)
    run = migrate(project, "--in-place", "--verify", project / "recordings")
    assert run.code == 130, run.err
    assert "interrupted; no file was left half-written" in run.err
    assert (project / "one.py").read_text() == JOB
    summary = json.loads(Path("verify-all-project/summary.json").read_text())
    results = {job["job"]: job["result"] for job in summary["jobs"]}
    assert results == {"one.py": "equal", "sub/two.py": "not verified", "other.py": "no recording"}


@pytest.mark.slow
def test_jobs_may_use_clients_themselves(migrate: Migrate, project: Path) -> None:
    run = migrate(project, "--check", "--verify", project / "recordings", "--real", "sqlite3")
    assert run.code == 1, run.err
    folder = Path("verify-all-project/jobs/one.py")
    for name in ("old", "new"):
        first = (folder / f"{name}.jsonl").read_text().splitlines()[0]
        assert json.loads(first)["real"] == ["sqlite3"]
    options = ["--migrated", "verify-all-project/migrated", "--no-run", "--format", "json"]
    # it is a verification with other options otherwise
    for real, result in ((["--real", "sqlite3"], "equal"), ([], "stale")):
        found = migrate("verify", "--all", project, *options, *real).json
        assert {one["job"]: one["result"] for one in found["jobs"]}["one.py"] == result


@pytest.mark.slow
def test_the_working_folder_itself(
    migrate: Migrate, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    for _ in range(2):
        run = migrate(".", "--check", "--verify", "recordings")
        assert "3 jobs: 2 equal, 1 no recording" in run.out, run.err
    copied = {path.name for path in Path("verify-all-project/migrated").iterdir()}
    assert copied == {*(path.name for path in project.iterdir()), ".migrate-output"} - {
        "verify-all-project"
    }


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--in-place"], [], ["--format", "json"]])
def test_what_differs_is_not_written_in_place(
    migrate: Migrate, project: Path, options: list[str]
) -> None:
    write(project / "one.py", WRONG_AFTER)
    run = migrate(project, *options, "--verify", "project/recordings")
    assert run.code == 1
    told = run.err if "json" in options else run.out
    assert "3 jobs: 1 different, 1 equal, 1 no recording" in told
    if "json" in options:
        assert run.json["jobs"]
    if "--in-place" in options:
        assert "nothing was written: one.py would do something else" in run.err
        assert (project / "one.py").read_text() == WRONG_AFTER
    else:
        assert project.with_name("project-migrated").is_dir()


@pytest.mark.slow
def test_a_job_alone(migrate: Migrate, project: Path) -> None:
    run = migrate(project / "one.py", "--verify", project / "recordings")
    assert run.code == 0, run.err
    assert "1 job: 1 equal" in run.out


def test_a_tree_without_jobs_has_nothing_to_verify(migrate: Migrate, project: Path) -> None:
    library = project / "library"
    library.mkdir()
    (library / "helpers.py").write_text("from pyspark.streaming import DStream\n")
    run = migrate(library, "--verify", project / "recordings")
    assert run.code == 2
    assert "no job in a Python file, so nothing can be verified" in run.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--verify", "nowhere"], "there is no folder nowhere"),
        (["--verify", ""], "--verify is empty"),
        (["--verify", "x", "--real", ""], "--real is empty"),
        (["--real", "sqlite3"], "--real has a meaning with --verify only"),
        (["--check-command", " "], "--check-command is empty"),
        (["--check-timeout", "x"], "no number of seconds"),
        (["--verify", "x", "--write-baseline", "y"], "leave out --verify"),
    ],
)
def test_wrong_use(migrate: Migrate, project: Path, options: list[str], said: str) -> None:
    run = migrate(project, *options)
    assert run.code == 2
    assert said in run.err
    assert (project / "one.py").read_text() == JOB


@pytest.mark.slow
def test_an_interrupt_ends_the_checks(project: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    code = f"import os, threading; open({str(begun)!r}, 'w').write(str(os.getpid())); "
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "migrator", project, "--in-place"),
            *("--check-command", check(f"{code}threading.Event().wait()")),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    wait_for(lambda: begun.is_file() and bool(begun.read_text()), "the checks have begun")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    wait_for(lambda: not runs(begun.read_text()), "the checks have ended")
    assert (project / "one.py").read_text() == JOB


def runs(pid: str) -> bool:
    """Whether a process runs; one that is dead has no command any more."""
    path = Path(f"/proc/{pid}/cmdline")
    return path.exists() and bool(path.read_bytes())
