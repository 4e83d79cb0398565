"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from pathlib import PurePath

from dstream_compat.native.types import Record
from migrator.discover.filetypes import FileType
from migrator.model.projects import ProjectFacts
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
from migrator.rules.findings import judge
from migrator.rules.registry import findings_for
from migrator.run.analyse_file import analyse
from migrator.run.file_kinds import kind_of
from migrator.select.comments import apply_comments
from migrator.source.decode import decode_python
from migrator.structured.json_shape import json_shape
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

NO_STRINGS = "D209"
"""The rule of what Kafka's consumers do not take: options would make some text of it."""
_OTHER_FILES = "the job is made of several files, and only jobs of one file are rewritten"


def rewrite_jobs(
    report: Report,
    unsafe: bool,
    brokers: str | None = None,
    json: str | None = None,
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
    folders = checkpoint_folders([file.path for file in report.files if file.path in file.jobs])
    for file in report.files:
        if kind_of(file) is not FileType.PYTHON or file.path not in file.jobs:
            continue
        if file.status is Status.UNREADABLE:
            continue
        files = several[file.path] > 1 or len(file.jobs) > 1
        name = folders[file.path]
        facts = report.facts(file.project)
        found = _rewrite(file, unsafe, files, brokers, shape, name, facts)
        if found is not None:
            _replace(file, *found, facts)
            file.rewrite_again = partial(_rewrite_fixed, unsafe, brokers, shape, name)


def checkpoint_folders(paths: list[str]) -> dict[str, str]:
    """Return a folder for the checkpoints of each job, which jobs may share a folder for: named as
    its file, or as the path of its file in the tree, if several files have that name.
    """
    plain = {path: re.sub(r"\W+", "_", PurePath(path).stem) for path in paths}
    users = Counter(plain.values())
    return {path: name if users[name] == 1 else _of_path(path) for path, name in plain.items()}


def _of_path(path: str) -> str:
    parts = PurePath(path).with_suffix("").parts
    return ".".join(re.sub(r"[^\w-]", lambda found: f"_{ord(found[0]):x}_", each) for each in parts)


def _rewrite(
    file: FileReport,
    unsafe: bool,
    several: bool,
    brokers: str | None,
    shape: Record | None,
    name: str,
    facts: ProjectFacts,
) -> tuple[bytes, Rewritten] | None:
    """Return the new content of a file; None if its job stays, which a finding says then."""
    decoded = decode_python(file.before_fixes)
    found = rewrite(decoded.text, brokers=brokers, json=shape, name=name)
    differences: tuple[str, ...] = ()
    if isinstance(found, Reason):
        freer = rewrite(decoded.text, True, brokers, shape, name)
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
    for each in file.findings:
        if each.code == NO_STRINGS and each.fix is None and isinstance(found, Rewritten):
            found = Reason("KAFKA_PARAMS", each.problem, each.at.line, each.at.column - 1)
            differences = ()
    if isinstance(found, Reason):
        at = Spot(found.line, found.column + 1)
        event = NoStructuredForm(at, found.code, found.text, differences, found.shape)
        file.findings += findings_for(event, facts)
        file.sort()
        return None
    return decoded.encode(found.text), found


def _rewrite_fixed(
    unsafe: bool, brokers: str | None, shape: Record | None, name: str, content: bytes
) -> bytes | None:
    """Return the new content of a file after the fixes that its job needs on any target."""
    decoded = decode_python(content)
    consent = unsafe and isinstance(rewrite(decoded.text, False, brokers, shape, name), Reason)
    found = rewrite(decoded.text, consent, brokers, shape, name)
    return decoded.encode(found.text) if isinstance(found, Rewritten) else None


def _replace(file: FileReport, content: bytes, found: Rewritten, facts: ProjectFacts) -> None:
    again = analyse(file.path, FileType.PYTHON, content, convert=False)
    judge(again, facts)
    apply_comments(again)
    file.content = content
    file.status = Status.REWRITTEN
    file.findings = _still_true(file.findings, again.findings)
    for site in file.sites:
        site.outcome, site.migration = Outcome.REWRITTEN, Migration.RUNS
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
