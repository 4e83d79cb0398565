"""Finds the jobs of a project, and verifies them, each in a process of its own, several at once.

Decision 0135: `migrate verify --all` starts a process for each job.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path, PurePosixPath
from typing import Any

from dstream_compat.testing.recordings import FILE
from migrator.discover.paths import select
from migrator.discover.walk import VERIFY_MARKER
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.run.cache import Cache
from migrator.run.scan import scan
from migrator.run.verified_jobs import JOBS
from migrator.verify.check import Conditions, Request
from migrator.verify.comparison import VERDICT
from migrator.verify.outcome import recorded_arguments
from migrator.verify.process import Limits, environment, machine_bytes, pairs_of_cores
from migrator.verify.progress import JobsProgress
from migrator.verify.project_reports import (
    JobResult,
    ProjectVerdict,
    State,
    result_of,
    write_summary,
)
from migrator.verify.written_test import options_of

COMMAND = (sys.executable, "-m", "migrator")
PAGE = "report.html"
# what a run takes if nothing is said: its JVM and Python's workers
_USUAL_BYTES = 2 * 2**30
# three of four parts of the memory are for runs
_FOR_RUNS = 3, 4
_SAYS = "migrate: "
_POLL_SECONDS = 0.1
# a verification that is asked to end ends its runs first
_END_SECONDS = 60.0
_MIB = 2**20
RECORDINGS = "recordings"
EXPECTED = "expected.jsonl"


@dataclass(frozen=True, slots=True)
class ProjectRequest(Conditions):
    """How the jobs of a project are verified.

    Parameters
    ----------
    out : Path
        The folder of the verifications, each of which has one of its own there.
    """

    out: Path

    def of(self, job: ProjectJob) -> Request:
        """Return what is verified of a job that has a recording.

        Raises
        ------
        MigrateError
            If the recording cannot be read.
        """
        assert job.recording is not None
        return Request(
            *(job.path, job.recording, job.folder(self.out), job.migrated, job.expected_results),
            recorded_arguments(job.recording),
            **{each.name: getattr(self, each.name) for each in fields(Conditions)},
        )

    def command(self, job: ProjectJob, limits: Limits) -> list[str]:
        """Return the command that verifies a job, within other limits."""
        arguments = [*COMMAND, "verify", _path(job.path), "--input", str(job.recording)]
        arguments += ["--out", str(job.folder(self.out)), "--format", "html"]
        if job.expected_results is not None:
            arguments += ["--expected", str(job.expected_results)]
        if job.migrated is None:
            arguments += ["--target", self.target]
        else:
            arguments += ["--migrated", str(job.migrated)]
            arguments += [] if self.json_shape is None else ["--json-shape", self.json_shape]
        arguments += options_of(self.rules, self.real)
        arguments += ["--shrink-time", f"{self.shrink_seconds:g}"]
        arguments += [] if self.shrinks else ["--no-shrink"]
        arguments += ["--timeout", f"{limits.seconds:g}"]
        arguments += ["--memory", f"{max(limits.memory // _MIB, 1)}m"] if limits.memory else []
        return [*arguments, "--parallel", str(limits.at_once)] if limits.at_once else arguments


def known_result(job: ProjectJob, asked: ProjectRequest) -> JobResult:
    """Return what is known of a job without running it."""
    if job.recording is None:
        return JobResult(job.name, State.NO_RECORDING)
    verdict = _known_verdict(job, asked.out)
    if verdict is None:
        return JobResult(job.name, State.NOT_VERIFIED)
    try:
        why = _why_stale(verdict, asked.of(job))
    except (MigrateError, OSError) as error:
        return JobResult(job.name, State.NOT_VERIFIED, str(error))
    if why:
        return JobResult(job.name, State.STALE, f"{why} (it was {verdict['result']})", verdict)
    page = job.folder(asked.out) / PAGE
    return result_of(job.name, verdict, page if page.is_file() else None)


@dataclass(slots=True)
class _Running:
    job: ProjectJob
    process: subprocess.Popen[bytes]
    page: Path
    said: Path


def jobs_at_once(limits: Limits, jobs: int) -> int:
    """Return how many jobs are verified at once: what cores and memory allow, one at least.

    Parameters
    ----------
    limits : Limits
        What each run may use.
    jobs : int
        How many there are.
    """
    if limits.at_once:
        return max(1, min(limits.at_once, jobs))
    by_memory = machine_bytes() * _FOR_RUNS[0] // _FOR_RUNS[1] // (limits.memory or _USUAL_BYTES)
    return max(1, min(pairs_of_cores(), by_memory, jobs))


def share_of(limits: Limits, at_once: int) -> Limits:
    """Return what each run may use when several jobs are verified at once, one run of each.

    Parameters
    ----------
    limits : Limits
        What is asked for.
    at_once : int
        How many jobs.
    """
    if at_once < 2:
        return limits
    share = machine_bytes() * _FOR_RUNS[0] // _FOR_RUNS[1] // at_once
    return replace(limits, memory=limits.memory or share, at_once=1)


def verify_with_report(
    project: str, jobs: Sequence[ProjectJob], waiting: Sequence[ProjectJob], asked: ProjectRequest
) -> ProjectVerdict:
    """Verify jobs of a project, and write the report beside the verifications.

    If it is interrupted, the report has what has ended until then.

    Parameters
    ----------
    project : str
        As its owner names it.
    jobs : sequence of ProjectJob
        All that the report has.
    waiting : sequence of ProjectJob
        Those that are run; they have recordings.
    """
    results: dict[str, JobResult] = {}
    try:
        with JobsProgress(len(waiting)) as progress:
            results = {result.job: result for result in verify_jobs(waiting, asked, progress)}
    finally:
        verdict = ProjectVerdict(
            project, tuple(results.get(job.name) or known_result(job, asked) for job in jobs)
        )
        if (asked.out / VERIFY_MARKER).exists():
            write_summary(verdict, asked.out)
    return verdict


def verify_jobs(
    jobs: Sequence[ProjectJob],
    asked: ProjectRequest,
    progress: Callable[[list[str], list[JobResult]], None],
) -> list[JobResult]:
    """Verify jobs that have recordings; no process outlives the call.

    Parameters
    ----------
    progress : callable
        Told of the jobs that run, and of the results so far, when either changes.

    Returns
    -------
    list of JobResult
        In the order of the jobs.
    """
    at_once = jobs_at_once(asked.limits, len(jobs))
    limits = share_of(asked.limits, at_once)
    waiting, running = list(jobs), list[_Running]()
    results: dict[str, JobResult] = {}
    with tempfile.TemporaryDirectory(prefix="migrate-") as temporary:
        try:
            while waiting or running:
                count = len(results)
                while waiting and len(running) < at_once:
                    printed = Path(temporary) / str(len(waiting))
                    running.append(_start(waiting.pop(0), asked, limits, printed))
                    progress(
                        [job_process.job.name for job_process in running], list(results.values())
                    )
                for job_process in list(running):
                    if (code := job_process.process.poll()) is not None:
                        running.remove(job_process)
                        results[job_process.job.name] = _result(job_process, asked.out, code)
                if len(results) > count:
                    progress(
                        [job_process.job.name for job_process in running], list(results.values())
                    )
                elif running:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        running[0].process.wait(_POLL_SECONDS)
        finally:
            _end(running)
    return [results[job.name] for job in jobs]


def _start(job: ProjectJob, asked: ProjectRequest, limits: Limits, printed: Path) -> _Running:
    job.folder(asked.out).parent.mkdir(parents=True, exist_ok=True)
    page, said = printed.with_suffix(".html"), printed.with_suffix(".log")
    with page.open("wb") as output, said.open("wb") as errors:
        process = subprocess.Popen(
            asked.command(job, limits),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            # Ctrl-C reaches this process only, which lets each verification end its runs
            start_new_session=True,
        )
    return _Running(job, process, page, said)


def _path(path: Path) -> str:
    """Return a path that is taken for no option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def _result(job_process: _Running, out: Path, code: int) -> JobResult:
    name, page = job_process.job.name, job_process.page.read_bytes()
    verdict = _known_verdict(job_process.job, out) if page else None
    if verdict is None:
        # its progress comes before its error
        said = job_process.said.read_text(encoding="utf-8", errors="replace")
        lines = [line for line in said.splitlines() if line.startswith(_SAYS)]
        why = lines[-1].removeprefix(_SAYS) if lines else f"it ended with exit code {code}"
        return JobResult(name, State.NOT_COMPARABLE, why)
    file = job_process.job.folder(out) / PAGE
    file.write_bytes(page)
    return result_of(name, verdict, file)


def _end(running: Sequence[_Running]) -> None:
    """Let verifications end their runs, then end those that do not."""
    for job_process in running:
        job_process.process.terminate()
    until = time.monotonic() + _END_SECONDS
    for job_process in running:
        try:
            job_process.process.wait(max(until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            job_process.process.kill()
            job_process.process.wait()


@dataclass(frozen=True, slots=True)
class ProjectJob:
    """A job of a project.

    Parameters
    ----------
    name : str
        Its path in the project.
    path : Path
        Its file.
    recording : Path, optional
        What `migrate record` has recorded for it: a file, or the folder of one.
    migrated : Path, optional
        Its migrated form, if there is a migrated project.
    """

    name: str
    path: Path
    recording: Path | None = None
    migrated: Path | None = None

    @property
    def expected_results(self) -> Path | None:
        """What the original gave, if that is recorded, too."""
        if self.recording is None or not self.recording.is_dir():
            return None
        path = self.recording / EXPECTED
        return path if path.is_file() else None

    def folder(self, out: Path) -> Path:
        """Return the folder of its verification."""
        # with its suffix: a.py is no folder around a/b.py
        return out / JOBS / self.name


def job_names(project: Path) -> tuple[Path, list[str]]:
    """Return the base of a project and the paths of its jobs, which are found without running them.

    Raises
    ------
    MigrateError
        If there is no such project, or no job in it.
    """
    selection = select([project])
    root = selection.root
    report = scan(root, "check", selection.chosen, Cache(root, selection.chosen))
    names = sorted({job for file in report.files for job in file.jobs})
    if not names:
        raise MigrateError(f"{visible(str(project))} has no job that starts a StreamingContext")
    return (root if root.is_dir() else root.parent), names


def project_jobs(
    base: Path, names: Iterable[str], recordings: Path | None, migrated: Path | None = None
) -> list[ProjectJob]:
    """Return the jobs of a project with their recordings.

    The recording of the job ``a/b.py`` is ``a/b`` or ``a/b.jsonl`` in the folder of recordings,
    or ``b`` in that of ``a``, which may be a project of its own.

    Parameters
    ----------
    base : Path
        The project.
    names : iterable of str
        The paths of its jobs.
    recordings : Path, optional
        The folder of all recordings; else each folder of the project may have one.
    migrated : Path, optional
        The migrated project, which has the same paths.

    Raises
    ------
    MigrateError
        If no job has a recording.
    """
    names = [name for name in names if PurePosixPath(name).suffix == ".py"]
    if not names:
        raise MigrateError("there is no job in a Python file, so nothing can be verified")
    jobs = [
        ProjectJob(
            name,
            base / name,
            next(filter(None, map(_recording, _places(base, name, recordings))), None),
            None if migrated is None else migrated / name,
        )
        for name in names
    ]
    if not any(job.recording for job in jobs):
        folder = base / RECORDINGS if recordings is None else recordings
        if not folder.is_dir():
            raise MigrateError(
                f"there is no folder {visible(str(folder))} with recordings; record batches of a "
                f"job a/b.py with `migrate record a/b.py --out {visible(str(folder / 'a' / 'b'))}`"
            )
        first = folder / PurePosixPath(jobs[0].name).with_suffix("")
        raise MigrateError(
            f"{visible(str(folder))} has a recording of none of {quantity(len(jobs), 'job')}: "
            f"that of {visible(jobs[0].name)} would be {visible(str(first))} or "
            f"{visible(first.name)}.jsonl beside it"
        )
    return jobs


def _places(base: Path, name: str, recordings: Path | None) -> list[Path]:
    """Return where the recording of a job may be, the first place that counts first."""
    path = PurePosixPath(name).with_suffix("")
    if recordings is not None:
        return [recordings / path]
    return [base / top / RECORDINGS / path.relative_to(top) for top in reversed(path.parents)]


def _recording(folder: Path) -> Path | None:
    if (folder / FILE).is_file():
        return folder
    file = folder.with_name(f"{folder.name}.jsonl")
    return file if file.is_file() else None


def _known_verdict(job: ProjectJob, out: Path) -> dict[str, Any] | None:
    """Return the report of a job's last verification; None if there is none that can be read."""
    try:
        values = json.loads((job.folder(out) / VERDICT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    is_report = isinstance(values, dict) and isinstance(values.get("result"), str)
    return values if is_report else None


def _why_stale(verdict: dict[str, Any], request: Request) -> str:
    """Return why a verdict says nothing about a job as it is now; nothing if it does."""
    asked, before = request.dependencies(), verdict.get("request") or {}
    if other := [name for name, value in asked.items() if before.get(name) != value]:
        return f"verified with another {', '.join(other).replace('_', '-')}"
    digests = {
        str(source.get("path")): source.get("sha256") for source in verdict.get("sources") or ()
    }
    files = dict(request.files())
    paths = digests.keys() | files.keys()
    changed = sorted(Path(path).name for path in paths if digests.get(path) != files.get(path))
    return f"changed since: {', '.join(changed)}" if changed else ""
