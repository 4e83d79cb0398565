"""`migrate verify --all` verifies the jobs of a project that have recordings, in one report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from migrator.verify import many
from migrator.verify.many import jobs_at_once, share_of
from migrator.verify.process import Limits
from migrator.verify.progress import JobsProgress
from tests.support.fenced import ROOT
from tests.support.migrator import fake_run_job
from tests.support.migrator.recorded_project import START, write
from tests.support.migrator.runs import JOB, Run
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]


def states(run: Run) -> dict[str, str]:
    return {job["job"]: job["result"] for job in run.json["jobs"]}


def test_one_table(migrate: Migrate, project: Path) -> None:
    run = migrate("verify", "--all", project)
    assert run.code == 0, run.err
    lines = [line.split() for line in run.out.splitlines()]
    assert ["one.py", "equal", "1", "of", "1", "3"] in lines
    assert ["sub/two.py", "equal", "1", "of", "1", "3"] in lines
    assert ["no", "recording:", "other.py"] in lines
    assert "3 jobs: 2 equal, 1 no recording" in run.out
    assert "migrate: 2 of 2:" in run.err
    # the arguments are those of the recording
    results = Path("verify-all-project/jobs/sub/two.py/old.jsonl")
    assert results.is_file()
    verdict = json.loads(Path("verify-all-project/jobs/one.py/verdict.json").read_text())
    assert verdict["request"]["arguments"] == ["localhost"]


@pytest.mark.parametrize("form", ["json", "junit", "html"])
def test_forms(migrate: Migrate, project: Path, form: str) -> None:
    write(project / "sub" / "two.py", f"{JOB}# REFUSES\n")
    write(project / "one.py", f"{JOB}# WRONG\n")
    new = project.with_name("new")
    for name in ("one.py", "sub/two.py"):
        text = (project / name).read_text().replace("pyspark.streaming", "dstream_compat")
        write(new / name, text)
    write(project / "one.py", JOB)
    run = migrate("verify", "--all", project, "--migrated", new, "--no-shrink", "--format", form)
    assert run.code == 1
    if form == "json":
        assert states(run) == {
            "one.py": "different",
            "sub/two.py": "not comparable",
            "other.py": "no recording",
        }
        assert run.json["jobs"][0]["verdict"]["migrated"]["job"] == str(new / "one.py")
        assert run.json["counts"]["different"] == run.json["exit_code"] == 1
    elif form == "junit":
        (suite,) = ElementTree.fromstring(run.out)
        counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["3", "1", "1", "1"]
        assert suite[0].get("name") == "one.py"
        assert "('c', 2)" in (suite[0][0].text or "")
    else:
        page = "verify-all-project/jobs/one.py/report.html"
        assert f'<a href="{page}">one.py</a>' in run.out
        assert "different" in Path(page).read_text()


def test_a_job_that_cannot_be_compared(migrate: Migrate, project: Path) -> None:
    write(project / "one.py", f"{JOB}# EXITS\n")
    write(project / "recordings" / "sub" / "two" / "batches.jsonl", "no json\n")
    run = migrate("verify", "--all", project, "--format", "json")
    assert run.code == 2
    about = {job["job"]: job["about"] for job in run.json["jobs"]}
    assert "the job called sys.exit(255)" in about["one.py"]
    assert "line 1 is not JSON" in about["sub/two.py"]


def test_what_is_stale(migrate: Migrate, project: Path) -> None:
    def verify(*options: str) -> Run:
        return migrate("verify", "--all", project, "--format", "json", *options)

    assert states(verify("--no-run"))["one.py"] == "not verified"
    assert verify().code == 0
    assert verify("--no-run").code == 0
    before = Path("verify-all-project/jobs/sub/two.py/verdict.json").stat().st_mtime_ns
    # the same bytes at another time are the same code
    os.utime(project / "one.py", (1, 1))
    assert verify("--no-run").code == 0
    write(project / "one.py", f"{JOB}# changed\n")
    run = verify("--no-run")
    assert run.code == 1
    assert states(run)["one.py"] == "stale"
    assert run.json["jobs"][0]["about"] == "changed since: one.py (it was equal)"
    assert states(verify("--no-run", "--tolerance", "0.1"))["sub/two.py"] == "stale"
    run = verify("--only-stale")
    assert (run.code, states(run)["one.py"]) == (0, "equal")
    assert "1 of 1: one.py" in run.err
    after = Path("verify-all-project/jobs/sub/two.py/verdict.json").stat().st_mtime_ns
    assert before == after
    (project / "recordings" / "one.jsonl").write_text(
        (project / "recordings" / "one.jsonl").read_text() + '{"batch": 2, "input": {}}\n'
    )
    assert "another recording" in verify("--no-run").json["jobs"][0]["about"]


def test_reports_of_migrate_show_them(migrate: Migrate, project: Path) -> None:
    migrate("verify", "--all", project)
    jobs = migrate(project, "--check", "--format", "json").json["jobs"]
    found = {job["path"]: job["verified"] and job["verified"]["result"] for job in jobs}
    assert found == {"one.py": "equal", "sub/two.py": "equal", "other.py": None}


def test_expected_results_stand_for_an_original_that_cannot_run(
    migrate: Migrate, project: Path
) -> None:
    migrate("verify", "--all", project)
    old = Path("verify-all-project/jobs/sub/two.py/old.jsonl").read_bytes()
    (project / "recordings" / "sub" / "two" / "expected.jsonl").write_bytes(old)
    run = migrate("verify", "--all", project, "--format", "json")
    engines = {job["job"]: job["verdict"]["original"]["engine"] for job in run.json["jobs"][:2]}
    assert engines == {"one.py": "dstreams", "sub/two.py": "dstreams, recorded"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        (["project/plain.py"], "has no job"),
        (["project", "--recordings", "nothing"], "no folder nothing"),
        (["project", "--recordings", "project/sub"], "none of 3 jobs: that of one.py would be"),
        (["project", "--migrated", "project/one.py"], "is no folder"),
        (["project", "--out", "project"], "is read; name another folder"),
        (["project", "project/one.py"], "JOB and --all cannot"),
        (["project", "--input", "x"], "--input and --all cannot"),
        (["project", "--no-run", "--only-stale"], "leave out --only-stale"),
        (["project", "--", "x"], "what follows -- and --all"),
    ],
)
def test_wrong_use(migrate: Migrate, project: Path, arguments: list[str], said: str) -> None:
    run = migrate("verify", "--all", *arguments)
    assert run.code == 2
    assert said in run.err


def test_options_of_a_project_are_for_projects(migrate: Migrate, project: Path) -> None:
    assert "--no-run has a meaning with --all" in migrate("verify", "x.py", "--no-run").err
    assert "name a JOB" in migrate("verify").err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_run_outlives_a_command_that_is_interrupted_or_killed(
    project: Path, number: signal.Signals
) -> None:
    write(project / "one.py", f"{JOB}# SLEEPS\n")
    write(project / "sub" / "two.py", f"{JOB}# SLEEPS\n")
    start = f"{START}import migrator.verify.many as m; m.COMMAND = {many.COMMAND!r}; "
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", f"{start}from migrator.cli.main import main; sys.exit(main())"),
            *("verify", "--all", project, "--parallel", "2"),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    logs = [Path(f"verify-all-project/jobs/{name}/old.log") for name in ("one.py", "sub/two.py")]
    wait_for(
        lambda: all(path.is_file() and path.stat().st_size for path in logs), "both jobs have begun"
    )
    assert len(jobs_that_run(project)) >= 2
    process.send_signal(number)
    if number == signal.SIGKILL:
        assert process.wait(60) == -number
        wait_for(lambda: jobs_that_run(project) == [], "the verifications have ended their runs")
        process.communicate(timeout=60)
        return
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; no job runs any more" in said
    assert jobs_that_run(project) == []


def test_jobs_that_ended_before_an_interruption_have_verdicts(
    migrate: Migrate, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(running: list[str], results: list[Any]) -> None:
        if results:
            raise KeyboardInterrupt

    monkeypatch.setattr(JobsProgress, "__call__", lambda self, *step: stop(*step))
    summary = Path("verify-all-project/summary.json")
    run = migrate("verify", "--all", project, "--parallel", "1")
    assert run.code == 130, run.err
    found = {job["job"]: job["result"] for job in json.loads(summary.read_text())["jobs"]}
    assert found == {"one.py": "equal", "sub/two.py": "not verified", "other.py": "no recording"}


def test_a_report_is_written_again_if_nothing_has_to_run(migrate: Migrate, project: Path) -> None:
    summary = Path("verify-all-project/summary.json")
    migrate("verify", "--all", project, "--no-run")
    assert not summary.parent.exists()
    migrate("verify", "--all", project)
    summary.unlink()
    assert migrate("verify", "--all", project, "--only-stale").code == 0
    assert json.loads(summary.read_text())["counts"]["equal"] == 2


def jobs_that_run(project: Path) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().decode()
        except OSError:
            continue
        if str(project) in command and fake_run_job.__file__ in command:
            found.append(command)
    return found


def test_jobs_at_once_fit_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    monkeypatch.setattr(many, "machine_bytes", lambda: 16 * 2**30)
    assert jobs_at_once(Limits(), 40) == 6
    assert jobs_at_once(Limits(memory=4 * 2**30), 40) == 3
    assert jobs_at_once(Limits(), 2) == 2
    assert jobs_at_once(Limits(at_once=9), 40) == 9
    share = share_of(Limits(), 6)
    assert (share.memory, share.at_once) == (2 * 2**30, 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert jobs_at_once(Limits(), 40) == 1
    # a job alone runs as without --all
    assert share_of(Limits(), 1) == Limits()
