"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePath

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
from migrator.model.structured_forms import StructuredForm
from migrator.rules.findings import judge
from migrator.rules.registry import findings_for
from migrator.run.analyse_file import analyse, kind_of
from migrator.run.structured_files import (
    Misfit,
    form_with_places,
    new_content,
    unread_cell,
    with_place,
)
from migrator.run.surroundings import surroundings
from migrator.select.comments import apply_comments
from migrator.source.document import read_document
from migrator.source.joined import JoinedParts, joined_parts
from migrator.source.notebook import NotebookProblem
from migrator.structured.json_shape import json_shape
from migrator.structured.reading.unsupported import QUEUE
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

NO_STRINGS = "D209"
"""The rule of what Kafka's consumers do not take: options would make some text of it."""
_OLD_PYTHON = "the job stays Python 2, in which its functions may give something else"
_OPTIONS = {"BROKERS": "--kafka-brokers", "JSON_SHAPE": "--json-shape"}
"""The options that give a step a form, by the kind of reason why it has none."""
FormOf = Callable[..., Rewritten | Reason | None]
"""Rewrites the text of a job, with or without consent, as DataFrames or as code of batches."""
_OTHER_FILES = "the job is made of several files, and only jobs of one file are rewritten"


def rewrite_jobs(
    report: Report,
    unsafe: bool,
    brokers: str | None = None,
    json: str | None = None,
    portable: bool = True,
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
    portable : bool
        Whether a job may become DataFrames only; else the code of its batches may stay RDD code.
    """
    shape = None if json is None else json_shape(json)
    several = Counter(job for file in report.files for job in file.jobs if file.sites)
    root = Path(report.root)
    folders = checkpoint_folders([file.path for file in report.files if file.path in file.jobs])
    for file in report.files:
        kind = kind_of(file)
        if kind not in (FileType.PYTHON, FileType.NOTEBOOK) or file.path not in file.jobs:
            continue
        if file.status is Status.UNREADABLE and kind is FileType.PYTHON:
            continue
        files = several[file.path] > 1 or len(file.jobs) > 1
        form_of = partial(
            rewrite,
            brokers=brokers,
            json=shape,
            name=folders[file.path],
            around=surroundings(root if root.is_file() else root / file.path),
        )
        facts = report.facts(file.project)
        others = [e for e in report.files if e is not file and e.project == file.project]
        found = _rewrite(file, form_of, unsafe, files, portable, facts, others)
        if found is not None:
            _replace(file, *found, facts)
            file.rewrite_again = partial(_rewrite_fixed, kind, form_of, unsafe, portable)
    _refuse_spread_jobs(report)


def _refuse_spread_jobs(report: Report) -> None:
    """Say that jobs stay whose program has no code of streams: where their context is made."""
    read = {file.path for file in report.files if file.path in file.jobs}
    places: dict[str, tuple[bool, FileReport, Spot]] = {}
    for file in report.files:
        for site in file.sites:
            makes = site.name == "StreamingContext" and site.use in ("construct", "call")
            for job in file.jobs:
                if job not in read and (job not in places or makes > places[job][0]):
                    places[job] = makes, file, site.at
    said = {(file.path, at): file for _, file, at in places.values()}
    for (_, at), file in said.items():
        event = NoStructuredForm(at, "FILES", _OTHER_FILES)
        _refuse(file, [event], report.facts(file.project))


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
    form_of: FormOf,
    unsafe: bool,
    several: bool,
    portable: bool,
    facts: ProjectFacts,
    others: Sequence[FileReport] = (),
) -> tuple[bytes, StructuredForm] | None:
    """Return the new content of a file; None if its job stays, which a finding says then."""
    kind = kind_of(file)
    try:
        document = read_document(kind, file.before_fixes)
    except NotebookProblem as problem:
        _refuse(file, [NoStructuredForm(Spot(1, 1), "CELL", str(problem))], facts)
        return None
    parts = joined_parts(document)
    if parts is None:
        if document.broken:
            first = Spot(1, 1, document.broken[0].cell)
            _refuse(file, [NoStructuredForm(first, "CELL", "no cell of the job parses")], facts)
        return None
    found = _first_form(parts.text, form_of, unsafe, portable)
    differences: tuple[str, ...] = ()
    freer: Rewritten | Reason | None = None
    if isinstance(found, Reason):
        freer = _first_form(parts.text, form_of, True, portable)
        if isinstance(freer, Rewritten):
            differences = freer.differences
        elif freer is not None and (unsafe or found.code == freer.code == "JSON_SHAPE"):
            found = freer
    if found is None:
        found = Reason("NO_JOB", "no block of the file builds the whole job", 1, 0)
    if several:
        steps = found.others if isinstance(found, Reason) else ()
        found = Reason("FILES", _OTHER_FILES, 1, 0, others=steps)
        differences = ()
    at = None
    if document.python2:
        found, differences = Reason("PYTHON2", _OLD_PYTHON, 1, 0), ()
    if isinstance(found, Rewritten):
        user = _user_of_what_is_gone(file, parts.text, found.text, others)
        if user is not None:
            found, differences = user, ()
    for each in file.findings:
        if each.code == NO_STRINGS and each.fix is None and isinstance(found, Rewritten):
            found, at = Reason("KAFKA_PARAMS", each.problem, 1, 0), each.at
            differences = ()
    if isinstance(found, Rewritten) and (cell := unread_cell(parts, found)) is not None:
        found, at = Reason("CELL", "the cell does not parse, and names the job", 1, 0), cell
    if isinstance(found, Rewritten):
        form = form_with_places(found, parts)
        content = new_content(kind, file.before_fixes, parts, found)
        if not isinstance(content, Misfit):
            return content, form
        found, at = Reason("LAYOUT", content.text, 1, 0), content.at
    said = tuple(with_place(text, parts) for text in differences)
    events = _steps(parts, found, freer if isinstance(freer, Reason) else None, said, at)
    _refuse(file, events, facts)
    return None


def _first_form(
    text: str, form_of: FormOf, unsafe: bool, portable: bool
) -> Rewritten | Reason | None:
    """Return the first form that a job has: DataFrames, with consent if there is, then code of its
    batches; the reason why it is no DataFrames, if it has none. A queue never is: then it is the
    reason why it is no code.
    """
    first: Reason | None = None
    for batch_code in (False,) if portable else (False, True):
        for consent in (False, True) if unsafe else (False,):
            found = form_of(text, unsafe=consent, batch_code=batch_code)
            if not isinstance(found, Reason):
                return found
            if not batch_code or (first is not None and first.code == QUEUE):
                first = found
    return first


def _refuse(file: FileReport, events: Iterable[NoStructuredForm], facts: ProjectFacts) -> None:
    """Let findings say why a job stays."""
    for event in events:
        file.findings += findings_for(event, facts)
    file.sort()


def _rewrite_fixed(
    kind: FileType,
    form_of: FormOf,
    unsafe: bool,
    portable: bool,
    content: bytes,
) -> bytes | None:
    """Return the new content of a file after the fixes that its job needs on any target."""
    parts = joined_parts(read_document(kind, content))
    if parts is None:
        return None
    whole = _first_form(parts.text, form_of, unsafe, portable)
    if not isinstance(whole, Rewritten):
        return None
    made = new_content(kind, content, parts, whole)
    return None if isinstance(made, Misfit) else made


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
    parts: JoinedParts,
    found: Reason,
    freer: Reason | None,
    differences: tuple[str, ...],
    place: Spot | None,
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
    place : Spot, optional
        Where the reason is, if that is not its place in the text.
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
        at = place if each is found and place is not None else parts.spot(each.line, each.column)
        yield NoStructuredForm(at, each.code, each.text, differences, each.shape, option, others)


def _step(reason: Reason) -> tuple[int, int, str]:
    return reason.line, reason.column, reason.code


def _replace(file: FileReport, content: bytes, form: StructuredForm, facts: ProjectFacts) -> None:
    again = analyse(file.path, kind_of(file), content, convert=False)
    judge(again, facts)
    apply_comments(again)
    file.content = content
    file.status = Status.REWRITTEN
    file.findings = _still_true(file.findings, again.findings)
    for site in file.sites:
        site.outcome, site.migration = Outcome.REWRITTEN, Migration.RUNS
    file.structured = form


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
