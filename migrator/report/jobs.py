"""The jobs of a report: which run, which need a person, and for what; by project, or by folder
where there is only one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Any

from migrator.model.fleet import NO_FORM
from migrator.model.report import FileReport, Finding, Report, Status
from migrator.model.structured_forms import StructuredForm
from migrator.model.verification import Verified
from migrator.report.wording import quantity, short_duration, writes
from migrator.rules.registry import rules
from migrator.spark.since import OLDEST, version_name

_JVM = (".scala", ".java")
# a list of what a job needs names so many things
_TASKS = 3
_NAMES_ONLY = frozenset({"D101", "D102"})
"""Rewritings that `dstream_compat run` makes needless: it gives the old names to a job."""
# with so many jobs, their names say less than numbers
MANY = 10

_NO_FORM_RULE = "D860"

COLUMNS = ("jobs", "run", "need", "cannot", "findings", "time")


class JobState(StrEnum):
    """What a job needs: nothing, a person, or something that no person can give it here."""

    RUNS = "runs"
    NEEDS = "needs"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Job:
    """A program that starts a streaming context, or a file that belongs to no job.

    Parameters
    ----------
    modules : tuple of str
        The files of the report that it consists of.
    findings : tuple of Finding
        What needs manual work in them.
    verified : Verified, optional
        What its last verification found, if there was one.
    project : str
        The folder of its project in the tree.
    is_program : bool
        Whether it is a job, not a file that belongs to none.
    """

    path: str
    state: JobState
    modules: tuple[str, ...]
    findings: tuple[Finding, ...]
    verified: Verified | None = None
    project: str = ""
    is_program: bool = True

    @property
    def label(self) -> str:
        """What is said of it in a list."""
        return self.state.value if self.is_program else "project"

    @property
    def effort(self) -> int:
        """Minutes of manual work."""
        return sum(f.effort for f in self.findings)

    def needs(self, room: int | None = None) -> str:
        """Return what it needs: the number of findings, their minutes, and what is to be done.

        Parameters
        ----------
        room : int, optional
            How long it may be; tasks that have no room are only counted.
        """
        tasks: dict[str, str] = {}
        for finding in sorted(self.findings, key=lambda f: -f.effort):
            tasks.setdefault(finding.task or finding.remedy, finding.code)
        named = [f"{task} ({code})" for task, code in tasks.items()]
        head = f"{quantity(len(self.findings), 'finding')}, {short_duration(self.effort)}"
        for count in range(min(_TASKS, len(named)), 0, -1):
            left = len(named) - count
            more = f" and {left} more" if left else ""
            text = f"{head}: {', '.join(named[:count])}{more}"
            if room is None or len(text) <= room:
                return text
        return head


def outcome(verified: Verified) -> tuple[str, str]:
    """Return the result of a verification in a word, and its figures."""
    batches = quantity(verified.batches, "batch", "batches")
    figures = f"{verified.equal_batches} of {batches} equal, {quantity(verified.rows, 'row')}"
    changed = "; changed since" if verified.changed else ""
    text = f"verified {verified.date:%Y-%m-%d}: {figures}{changed}"
    return "equal" if verified.equal else "differs", text


Row = tuple[str, tuple[str, ...]]
"""A project, or what several are called together, and its numbers: one for each of `COLUMNS`, empty
instead of 0.
"""


class Jobs:
    """All jobs of a report by their paths; those that run, and those that do not.

    `others` are files of no job that need a person: settings, commands, modules of no job.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        # findings that stand for several places: each is in one file only
        self._shared = [f for _, f in report.findings() if f.also and f.needs_person]
        members: dict[str, list[FileReport]] = {}
        for file in report.files:
            for job in file.jobs:
                members.setdefault(job, []).append(file)
        self.all = [self._job(path, files, True) for path, files in sorted(members.items())]
        self.running = [job for job in self.all if job.state is JobState.RUNS]
        self.waiting = [job for job in self.all if job.state is not JobState.RUNS]
        rest = [self._job(file.path, [file], False) for file in report.files if not file.jobs]
        self.others = [job for job in rest if job.state is not JobState.RUNS]

    def _job(self, path: str, files: list[FileReport], is_program: bool) -> Job:
        modules = tuple(file.path for file in files)
        findings = [f for file in files for f in file.findings if f.needs_person]
        findings += [
            f
            for f in self._shared
            if f not in findings and any(place.path in modules for place in f.also)
        ]
        state = JobState.NEEDS if findings else JobState.RUNS
        foreign = PurePath(path).suffix in _JVM
        if findings and (foreign or any(rules()[f.code].impossible for f in findings)):
            state = JobState.CANNOT
        verified, project = self._report.verified.get(path), self._report.project_of(path)
        return Job(path, state, modules, tuple(findings), verified, project, is_program)

    def headline(self) -> str:
        """Return how many jobs run, need something, cannot run; how many other files need it."""
        report = self._report
        text = "No program here starts a streaming context"
        if self.all:
            written = writes(report) or not report.with_status(Status.REWRITTEN)
            shown = {
                JobState.RUNS: ("runs", "run", " now" if written else ""),
                JobState.NEEDS: ("needs", "need", " something"),
                JobState.CANNOT: ("cannot", "cannot", " run"),
            }
            parts = []
            for state, (one, several, rest) in shown.items():
                if count := sum(job.state is state for job in self.all):
                    parts.append(f"{count} {one if count == 1 else several}{rest}")
            when = "" if written else ", once rewritten"
            text = f"{quantity(len(self.all), 'job')}{when}: {', '.join(parts)}"
            forms = [file.structured for file in report.files if file.structured is not None]
            if forms:
                text += f"; {len(forms)} as Structured Streaming"
            if classic := sum(not form.is_portable for form in forms):
                text += f", {classic} of them on classic Spark only"
            needed = Counter(form.spark for form in forms if form.spark != version_name(OLDEST))
            for spark, count in sorted(needed.items()):
                text += f", {count} from Spark {spark} on"
        if self.others:
            verb = "needs" if len(self.others) == 1 else "need"
            what = "other file" if self.all else "file"
            text += f"; {quantity(len(self.others), what)} {verb} something"
        return text

    @property
    def differences(self) -> list[Job]:
        """Jobs whose verification found a difference; numbers alone would hide them."""
        return [job for job in self.all if job.verified is not None and not job.verified.equal]

    @property
    def as_numbers(self) -> bool:
        """Whether a table by project says more than a list of the jobs that need something."""
        many = len(self.waiting) + len(self.others) >= MANY
        return len(self.all) >= MANY and (many or self._in_several_projects)

    @property
    def _in_several_projects(self) -> bool:
        return len({job.project for job in (*self.all, *self.others)}) > 1

    def rows(self) -> list[Row]:
        """Return a row for each project that needs something, one for all others together."""
        groups: dict[str, list[Job]] = {}
        apart = self._in_several_projects
        for job in (*self.all, *self.others):
            groups.setdefault(job.project if apart else job.path.rpartition("/")[0], []).append(job)
        rows, rest = [], []
        for name, jobs in sorted(groups.items()):
            if all(job.state is JobState.RUNS for job in jobs):
                rest.append(jobs)
            else:
                rows.append(_row(name or ".", jobs))
        if rest:
            noun = "project" if apart else "folder"
            name = f"{len(rest)} {'other ' if rows else ''}{noun}{'' if len(rest) == 1 else 's'}"
            rows.append(_row(name, [job for jobs in rest for job in jobs]))
        return rows


def _row(name: str, group: list[Job]) -> Row:
    states = [job.state for job in group if job.is_program]
    findings = {id(f): f for job in group for f in job.findings}
    minutes = sum(f.effort for f in findings.values())
    numbers = (len(states), *(states.count(state) for state in JobState), len(findings))
    time = short_duration(minutes) if minutes else ""
    return name, (*(str(n or "") for n in numbers), time)


def jobs_in_need(file: FileReport) -> list[str]:
    """Return the jobs that need a module, none if it is the job itself."""
    return [] if file.jobs == (file.path,) else list(file.jobs)


def forms(report: Report) -> dict[str, StructuredForm]:
    """Return what jobs became as Structured Streaming, by their paths."""
    homes = [file for file in report.files if file.structured is not None]
    # a program without streams of its own has moved with the file that makes its context
    return {
        job: file.structured
        for file in homes
        for job in ([file.path] if file.path in file.jobs else file.jobs)
        if file.structured is not None
    }


def targets(
    job: Job, report: Report, files: Mapping[str, FileReport], forms: Mapping[str, StructuredForm]
) -> dict[str, Any]:
    """Return what a job can become, for the JSON report.

    Parameters
    ----------
    files : mapping of str to FileReport
        The files of the report by their paths.
    forms : mapping of str to StructuredForm
        What `forms` says of the report.

    Returns
    -------
    dict
        The fields of `FleetJob`, None for what the run did not look at.
    """
    runs = job.state is JobState.RUNS
    form = forms.get(job.path)
    if report.target == "structured":
        compat = None if form is not None else runs
        label = NO_FORM if form is None else form.label
        spark = None if form is None else form.spark
        return {"unchanged": None, "compat": compat, "structured": label, "spark": spark}
    modules = [files[path] for path in job.modules]
    changes = {f.code for file in modules for f in file.findings if f.is_fixed}
    unchanged = runs and changes <= _NAMES_ONLY
    return {"unchanged": unchanged, "compat": runs, "structured": None, "spark": None}


def reasons(report: Report) -> dict[str, Counter[str]]:
    """Return how many steps of jobs have no form in Structured Streaming, by project and reason."""
    counts: dict[str, Counter[str]] = {}
    for file, finding in report.findings():
        if finding.code == _NO_FORM_RULE:
            counts.setdefault(report.project_of(file.path), Counter())[finding.task] += 1
    return counts
