"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from dstream_compat.native.types import Record
from migrator.discover.filetypes import FileType
from migrator.model.project_events import ProjectFacts
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
from migrator.run.apply_fixes import apply_fixes
from migrator.run.file_kinds import kind_of
from migrator.run.project_facts import complete
from migrator.select.fixes import choose_fixes
from migrator.source.decode import decode_python
from migrator.structured.json_shape import json_shape
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

OTHER_RULES = ("D11", "D8", "D9")
"""The rules of Python, of Spark's other APIs and of what a job needs to run: on every target."""
NO_STRINGS = "D209"
"""The rule of what Kafka's consumers do not take: options would make some text of it."""
_OPTIONS = {"BROKERS": "--kafka-brokers", "JSON_SHAPE": "--json-shape"}
"""The options that give a step a form, by the kind of reason why it has none."""
_OTHER_FILES = "the job is made of several files, and only jobs of one file are rewritten"


def rewrite_jobs(
    report: Report,
    unsafe: bool,
    brokers: str | None = None,
    json: str | None = None,
    codes: frozenset[str] | None = None,
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
    codes : frozenset of str, optional
        The rules that the user wants, all of them if it is missing.
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
        fixed = _with_fixes(file, report, unsafe, codes)
        name = folders[file.path]
        others = [e for e in report.files if e is not file and e.project == file.project]
        found = _rewrite(file, unsafe, files, brokers, shape, fixed, name, others)
        if found is not None:
            _replace(file, *found, report.facts(file.project))


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


def _with_fixes(
    file: FileReport, report: Report, unsafe: bool, codes: frozenset[str] | None
) -> FileReport:
    """Return a report of a file after the fixes that its job needs on any target."""
    wanted = [
        each
        for each in file.findings
        if each.fix is not None
        and each.code.startswith(OTHER_RULES)
        and (codes is None or each.code in codes)
    ]
    content = None if file.conversion is None else file.conversion.content
    trial = replace(file, findings=wanted, sites=[], content=content)
    # what else is in the project decides on some of them
    others = [replace(each, findings=[*each.findings]) for each in report.files if each is not file]
    whole = replace(report, files=[trial, *others])
    choose_fixes(whole, unsafe, {})
    apply_fixes(replace(whole, files=[trial]))
    return trial


def _rewrite(
    file: FileReport,
    unsafe: bool,
    several: bool,
    brokers: str | None,
    shape: Record | None,
    fixed: FileReport,
    name: str,
    others: Sequence[FileReport] = (),
) -> tuple[bytes, Rewritten] | None:
    """Return the new content of a file; None if its job stays, which a finding says then."""
    decoded = decode_python(file.before_fixes)
    found = rewrite(decoded.text, brokers=brokers, json=shape, name=name)
    differences: tuple[str, ...] = ()
    freer: Rewritten | Reason | None = None
    if isinstance(found, Reason):
        freer = rewrite(decoded.text, True, brokers, shape, name)
        if isinstance(freer, Rewritten):
            differences = freer.differences
            found = freer if unsafe else found
        elif freer is not None and (unsafe or found.code == freer.code == "JSON_SHAPE"):
            found = freer
    if found is None:
        found = Reason("NO_JOB", "no block of the file builds the whole job", 1, 0)
    if several:
        steps = found.others if isinstance(found, Reason) else ()
        found = Reason("FILES", _OTHER_FILES, 1, 0, others=steps)
        differences = ()
    if isinstance(found, Rewritten):
        user = _user_of_what_is_gone(file, decoded.text, found.text, others)
        if user is not None:
            found, differences = user, ()
    for each in file.findings:
        if each.code == NO_STRINGS and each.fix is None and isinstance(found, Rewritten):
            found = Reason("KAFKA_PARAMS", each.problem, each.at.line, each.at.column - 1)
            differences = ()
    if isinstance(found, Reason):
        for event in _steps(found, freer if isinstance(freer, Reason) else None, differences):
            file.findings += findings_for(event)
        file.sort()
        return None
    if fixed.content is not None and fixed.content != file.before_fixes:
        text = decode_python(fixed.content).text
        consent = unsafe and isinstance(rewrite(text, False, brokers, shape, name), Reason)
        whole = rewrite(text, consent, brokers, shape, name)
        if isinstance(whole, Rewritten):
            # what is said of the job is about its own lines
            found = replace(found, text=whole.text)
            _mark_fixed(file, fixed)
    return decoded.encode(found.text), found


def _user_of_what_is_gone(
    file: FileReport, before: str, after: str, others: Sequence[FileReport]
) -> Reason | None:
    """Return the reason of a job with a function or class that another file imports, and that the
    result has no more.
    """
    kinds = (ast.FunctionDef, ast.ClassDef)
    left = {each.name for each in ast.parse(after).body if isinstance(each, kinds)}
    module = re.escape(PurePath(file.path).stem)
    for node in ast.parse(before).body:
        if isinstance(node, kinds) and node.name not in left:
            for other in others:
                text = other.before_fixes.decode("utf-8", "replace")
                if re.search(rf"import\b.*\b{module}\b|\b{module}\s+import\b", text) and re.search(
                    rf"\b{node.name}\b", text
                ):
                    words = f"`{other.path}` imports `{node.name}`, which the result has no more"
                    return Reason("FILES", words, node.lineno, node.col_offset)
    return None


def _steps(
    found: Reason, freer: Reason | None, differences: tuple[str, ...]
) -> Iterator[NoStructuredForm]:
    """Yield the steps of a job that have no form, each with the option that gives it one.

    Parameters
    ----------
    found : Reason
        Why the job stays.
    freer : Reason, optional
        Why it stays with `--unsafe-fixes`, if it does.
    differences : tuple of str
        What would differ, if that option rewrites the job.
    """
    left = {_step(each) for each in freer.others} if freer is not None else set()
    known = {_step(each): each for each in (*found.others, found)}
    known |= {_step(each): each for each in (freer.others if freer is not None else ())}
    options = {}
    for key in known:
        options[key] = "" if freer is None or key in left else "--unsafe-fixes"
        options[key] = _OPTIONS.get(key[2], options[key])
    for key, each in sorted(known.items()):
        option = options[key]
        others = sum(1 for other in options.values() if not option or other != option)
        at = Spot(each.line, each.column + 1)
        yield NoStructuredForm(at, each.code, each.text, differences, each.shape, option, others)


def _step(reason: Reason) -> tuple[int, int, str]:
    return reason.line, reason.column, reason.code


def _mark_fixed(file: FileReport, fixed: FileReport) -> None:
    """Let the findings whose fixes are made say so; nothing is left to do for them."""
    made = {(f.code, f.at, f.problem): f for f in fixed.findings if f.fixed and f.fix is not None}
    for index, finding in enumerate(file.findings):
        fix = getattr(made.get((finding.code, finding.at, finding.problem)), "fix", None)
        if fix is not None:
            done = replace(finding, problem=fix.summary, fixed=True, fix=None, safety=fix.safety)
            file.findings[index] = done


def _replace(file: FileReport, content: bytes, found: Rewritten, facts: object) -> None:
    again = analyse(file.path, FileType.PYTHON, content, convert=False)
    if isinstance(facts, ProjectFacts):
        complete(again, facts)
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
        if finding.fixed and finding.fix is None and finding.code.startswith(OTHER_RULES):
            found.append(finding)
        elif left[key]:
            left[key] -= 1
            found.append(finding)
    return found
