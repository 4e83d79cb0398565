"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from dstream_compat.native.types import Record
from migrator.discover.filetypes import FileType
from migrator.model.report import (
    FileReport,
    Finding,
    Migration,
    Outcome,
    Report,
    Spot,
    Status,
)
from migrator.model.structured_events import NoStructuredForm
from migrator.model.structured_forms import StructuredForm, StructuredStep
from migrator.rules.registry import findings_for
from migrator.run.analyse_file import analyse
from migrator.run.file_kinds import kind_of
from migrator.source.decode import decode_python
from migrator.structured.json_shape import json_shape
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

_OTHER_FILES = "the job is made of several files, and only jobs of one file are rewritten"


def rewrite_jobs(
    report: Report, unsafe: bool, brokers: str | None = None, json: str | None = None
) -> None:
    """Give each job that has a form in Structured Streaming its new content.

    Parameters
    ----------
    report : Report
        The report of the run; what its findings have said of a rewritten job is gone from it.
    unsafe : bool
        Whether a job may be rewritten that would change in a known way.
    brokers : str, optional
        Addresses of Kafka's brokers, for jobs that know ZooKeeper only.
    json : str, optional
        The shape of the texts that `json.loads` reads.
    """
    shape = None if json is None else json_shape(json)
    several = Counter(job for file in report.files for job in file.jobs if file.sites)
    for file in report.files:
        if kind_of(file) is not FileType.PYTHON or file.path not in file.jobs:
            continue
        if file.status is Status.UNREADABLE:
            continue
        _rewrite(file, unsafe, several[file.path] > 1 or len(file.jobs) > 1, brokers, shape)


def _rewrite(
    file: FileReport, unsafe: bool, several: bool, brokers: str | None, shape: Record | None
) -> None:
    decoded = decode_python(file.before_fixes)
    found = rewrite(decoded.text, brokers=brokers, json=shape)
    differences: tuple[str, ...] = ()
    if isinstance(found, Reason):
        freer = rewrite(decoded.text, True, brokers, shape)
        if isinstance(freer, Rewritten):
            differences = freer.differences
            found = freer if unsafe else found
        elif freer is not None and found.code == freer.code == "JSON_SHAPE":
            found = freer
    if found is None:
        found = Reason("NO_JOB", "no block of the file builds the whole job", 1, 0)
    if several:
        found = Reason("FILES", _OTHER_FILES, 1, 0)
        differences = ()
    if isinstance(found, Reason):
        at = Spot(found.line, found.column + 1)
        event = NoStructuredForm(at, found.code, found.text, differences, found.shape)
        file.findings += findings_for(event)
        file.sort()
        return
    _replace(file, decoded.encode(found.text), found)


def _replace(file: FileReport, content: bytes, found: Rewritten) -> None:
    again = analyse(file.path, FileType.PYTHON, content, convert=False)
    file.content = content
    file.status = Status.REWRITTEN
    file.findings = _still_true(file.findings, again.findings)
    file.sites = [
        replace(site, outcome=Outcome.REWRITTEN, migration=Migration.RUNS) for site in file.sites
    ]
    steps = tuple(StructuredStep(s.line, s.before, s.after, s.why) for s in found.steps)
    file.structured = StructuredForm(steps, found.differences)


def _still_true(before: list[Finding], again: list[Finding]) -> list[Finding]:
    """Return the findings of the old file that the new one has, too."""
    left = Counter((f.code, f.problem) for f in again)
    found = []
    for finding in before:
        key = finding.code, finding.problem
        if left[key]:
            left[key] -= 1
            found.append(finding)
    return found
