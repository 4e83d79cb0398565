"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

from migrator.discover.filetypes import FileType
from migrator.errors import MigrateError
from migrator.model.events import NoStructuredForm
from migrator.model.projects import ProjectFacts
from migrator.model.report import (
    FileReport,
    Finding,
    Migration,
    Outcome,
    Report,
    Spot,
    Status,
    shown_place,
)
from migrator.model.structured_forms import StructuredForm, StructuredStep
from migrator.rules.registry import findings_for
from migrator.run.analyse_file import kind_of
from migrator.run.options import Options
from migrator.run.scan import rare_collections
from migrator.run.taken_code import leave_out, modules_around, replace_content, unmade_fix
from migrator.select.fixes import keep_original
from migrator.source.document import Document, Texts, read_document
from migrator.source.joined import JoinedParts, joined_parts
from migrator.source.notebook import NotebookProblem
from migrator.source.problems import RewriteProblem
from migrator.spark.since import NEWEST, version_name, version_of
from migrator.spark.versions import target_of
from migrator.structured.json_shape import json_shape
from migrator.structured.program.carried import Carried
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import NOTED_LINE, Rewritten, rewrite

NO_STRINGS = "D209"
"""The rule of what Kafka's consumers do not take: options would make some text of it."""
PYTHON2 = "D010"
"""The rule of Python 2 that is converted."""
_IGNORED = "a comment ignores {}, and a file is rewritten as a whole"
_OLD_PYTHON = "the job stays Python 2, in which its functions may give something else"
_OPTIONS = {"BROKERS": "--kafka-brokers", "JSON_SHAPE": "--json-shape"}
"""The options that give a step a form, by the kind of reason why it has none."""
_OTHER_FILES = "no file of the job makes its StreamingContext"
_BROKEN = "the file does not parse, so it is not known what makes its StreamingContext"


Form = Rewritten | Reason | None


@rare_collections()
def rewrite_jobs(report: Report, options: Options, job_keys: Collection[str] = ()) -> None:
    """Give each job that has a form in Structured Streaming its new content.

    Parameters
    ----------
    report : Report
        The report of the run; what its findings have said of a rewritten job is gone from it.
    options : Options
        The run, of which `unsafe_fixes`, `portable`, `kafka_brokers`, `json_shape`, `state` and
        `spark` are used.
    job_keys : collection of str
        Files whose jobs stay as they are, as those do with a comment that ignores their rewriting.

    Raises
    ------
    MigrateError
        If several jobs would begin with the same states.
    """
    homes = _homes(report)
    if options.state is not None and len(homes) > 1:
        paths = ", ".join(file.path for file in homes[:3])
        raise MigrateError(
            f"--state: {options.state} is of one job, and there are {len(homes)} ({paths}, ...); "
            "give the file of the job"
        )
    make = partial(
        rewrite,
        brokers=options.kafka_brokers,
        json=None if options.json_shape is None else json_shape(options.json_shape),
        carried=None if options.state is None else Carried.of(options.state),
        spark=NEWEST if options.spark is None else version_of(options.spark),
    )
    folders = checkpoint_folders([file.path for file in homes])
    taken: dict[str, set[str]] = {}
    # what others import of a job is gone only if none of them needs it any more
    for file in sorted(homes, key=lambda each: bool(report.programs.importers(each.path))):
        if file.path in job_keys:
            continue
        ignored = _ignored_rewriting(file)
        if ignored is not None:
            event = NoStructuredForm(ignored.at, "IGNORED", _IGNORED.format(ignored.code))
            _refuse(file, [event], report.facts(file.project))
            continue
        kind = kind_of(file)
        own = partial(make, name=folders[file.path], around=modules_around(report, file))
        form_of = partial(first_form, own, portable=options.portable)
        moved = _rewrite(report, file, form_of, options.unsafe_fixes)
        if moved is not None:
            content, form, members = moved
            _replace(file, content, form, report.facts(file.project))
            file.rewrite_again = partial(_rewrite_fixed, kind, form_of, options.unsafe_fixes)
            for path, member in members:
                taken.setdefault(path, set()).add(member)
    leave_out(report, taken)
    _refuse_spread_jobs(report, homes)
    if not target_of(options.spark).runs_compat:
        for file in report.files:
            if file.structured is None and file.sites:
                keep_original(file, f"dstream_compat does not run on Spark {options.spark}")


def first_form(make: Callable[..., Form], text: str, unsafe: bool, *, portable: bool) -> Form:
    """Return the first form that a job has: DataFrames, with consent if there is, then code of
    its batches; the reasons why it has not the last of them.

    Parameters
    ----------
    make : callable
        Is `rewrite` with what else it takes.
    unsafe : bool
        Whether the job may change in a known way.
    portable : bool
        Whether it may become DataFrames only.
    """
    form: Form = None
    for batch_code in (False,) if portable else (False, True):
        for consent in (False, True) if unsafe else (False,):
            form = make(text, unsafe=consent, batch_code=batch_code)
            if not isinstance(form, Reason):
                return form
    return form


def _homes(report: Report) -> list[FileReport]:
    """Return the files that jobs are read from: their programs; for a program without code of
    streams, the file that makes its context.
    """
    programs = {file.path for file in report.files if file.path in file.jobs}
    homes = []
    for file in report.files:
        if kind_of(file) not in (FileType.PYTHON, FileType.NOTEBOOK):
            continue
        if file.status is Status.UNREADABLE and kind_of(file) is FileType.PYTHON:
            continue
        # a context that nothing starts belongs to no job
        own = programs.isdisjoint(file.jobs) and _makes_context(file)
        if file.path in file.jobs or own:
            homes.append(file)
    return homes


def _ignored_rewriting(file: FileReport) -> Finding | None:
    """Return a finding that the rewriting of a file would solve, and that a comment ignores."""
    solved = (f for f in file.findings if f.rewrite is not None and f.code != PYTHON2)
    return next((f for f in solved if f.suppression is not None), None)


def _makes_context(file: FileReport) -> bool:
    return any(
        site.name == "StreamingContext" and site.use in ("construct", "call") for site in file.sites
    )


def _refuse_spread_jobs(report: Report, homes: Collection[FileReport]) -> None:
    """Say that jobs stay whose program has no code of streams, and whose context no file makes."""
    read = {job for file in homes for job in (file.path, *file.jobs)}
    places: dict[str, tuple[FileReport, Spot]] = {}
    for file in report.files:
        for site in file.sites:
            for job in file.jobs:
                if job not in read:
                    places.setdefault(job, (file, site.at))
    said = {(file.path, at): file for file, at in places.values()}
    for (_, at), file in said.items():
        text = _BROKEN if file.status is Status.UNREADABLE else _OTHER_FILES
        event = NoStructuredForm(at, "FILES", text)
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
    return ".".join(re.sub(r"[^\w-]", lambda found: f"_{ord(found[0]):x}_", part) for part in parts)


def _rewrite(
    report: Report, file: FileReport, form_of: Callable[[str, bool], Form], unsafe: bool
) -> tuple[bytes, StructuredForm, tuple[tuple[str, str], ...]] | None:
    """Return the new content of a file, and what it has taken from others; None if its job stays,
    which a finding says then.
    """
    kind, facts = kind_of(file), report.facts(file.project)
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
    form: Form = form_of(parts.text, unsafe)
    differences: tuple[str, ...] = ()
    freer: Form = None
    if isinstance(form, Reason):
        freer = form_of(parts.text, True)
        if isinstance(freer, Rewritten):
            differences = freer.differences
        elif freer is not None and (unsafe or form.code == freer.code == "JSON_SHAPE"):
            form = freer
    if form is None:
        form = Reason("NO_JOB", "no block of the file builds the whole job", 1, 0)
    at = None
    if document.python2:
        form, differences = Reason("PYTHON2", _OLD_PYTHON, 1, 0), ()
    if isinstance(form, Rewritten):
        hindrance = _hindrance(report, file, parts, form)
        if hindrance is None:
            content = new_content(kind, file.before_fixes, parts, form)
            if not isinstance(content, Misfit):
                return content, form_with_places(form, parts), form.taken
            hindrance = Reason("LAYOUT", content.text, 1, 0), content.at
        form, at = hindrance
    said = tuple(with_place(text, parts) for text in differences)
    by_path = {file.path: file for file in report.files}
    steps = [*_steps(parts, form, freer if isinstance(freer, Reason) else None, said, at)]
    for path, event in steps:
        # a file without streams has no report
        if not path or path in by_path:
            _refuse(by_path.get(path, file), [event], facts)
    if all(path for path, _ in steps):
        # the file of the job says where the reason is
        path, event = steps[0]
        words = f"{path}, line {event.at.line}: {event.text}"
        _refuse(file, [NoStructuredForm(Spot(1, 1), event.code, words)], facts)
    return None


def _hindrance(
    report: Report, file: FileReport, parts: JoinedParts, form: Rewritten
) -> tuple[Reason, Spot | None] | None:
    """Return why a job that has a form stays, and where that is, if not in the text of the job."""
    reason = _user_of_what_is_gone(report, file, parts.text, form)
    if reason := reason or unmade_fix(report, form.taken):
        return reason, None
    for finding in file.findings:
        if finding.code == NO_STRINGS and finding.fix is None:
            return Reason("KAFKA_PARAMS", finding.problem, 1, 0), finding.at
    if (cell := unread_cell(parts, form)) is not None:
        return Reason("CELL", "the cell does not parse, and names the job", 1, 0), cell
    return None


def _refuse(file: FileReport, events: Iterable[NoStructuredForm], facts: ProjectFacts) -> None:
    """Let findings say why a job stays; jobs may stay for one reason of a file that they share."""
    places = {(finding.at, finding.message) for finding in file.findings}
    for event in events:
        news = findings_for(event, facts)
        file.findings += [
            finding for finding in news if (finding.at, finding.message) not in places
        ]
    file.sort()


def _rewrite_fixed(
    kind: FileType, form_of: Callable[[str, bool], Form], unsafe: bool, content: bytes
) -> bytes | None:
    """Return the new content of a file after the fixes that its job needs on any target."""
    parts = joined_parts(read_document(kind, content))
    if parts is None:
        return None
    whole = form_of(parts.text, unsafe)
    if not isinstance(whole, Rewritten):
        return None
    new = new_content(kind, content, parts, whole)
    return None if isinstance(new, Misfit) else new


def _user_of_what_is_gone(
    report: Report, file: FileReport, before: str, form: Rewritten
) -> Reason | None:
    """Return the reason of a job with a function, class or stream that another file imports, and
    that the result has no more.
    """
    kinds = (ast.FunctionDef, ast.ClassDef)
    left = {
        statement.name for statement in ast.parse(form.text).body if isinstance(statement, kinds)
    }
    tree = ast.parse(before)
    gone = {
        statement.name: statement
        for statement in tree.body
        if isinstance(statement, kinds) and statement.name not in left
    }
    streams: dict[str, ast.stmt] = {
        target.id: statement
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name) and target.id in form.names
    }
    importers = report.programs.importers(file.path)
    others = [file for file in report.files if file.path in importers]
    for name, node in (gone | streams).items():
        for other in others:
            data = other.before_fixes
            if other.structured is not None and other.content is not None:
                data = other.content
            text = data.decode("utf-8", "replace")
            if re.search(rf"\b{name}\b", text):
                words = f"`{other.path}` imports `{name}`, which the result has no more"
                return Reason("FILES", words, node.lineno, node.col_offset)
    return None


def _steps(
    parts: JoinedParts,
    reason: Reason,
    freer: Reason | None,
    differences: tuple[str, ...],
    place: Spot | None,
) -> Iterator[tuple[str, NoStructuredForm]]:
    """Yield the steps of a job that have no form, each with its file, empty for that of the job,
    and with the option that gives it one.

    Parameters
    ----------
    reason : Reason
        Why the job stays.
    freer : Reason, optional
        Why it stays with `--unsafe-fixes`, if it does.
    differences : tuple of str
        What would differ, if that option rewrites the job.
    place : Spot, optional
        Where the reason is, if that is not its place in the text.
    """
    left = {_step(other) for other in (*freer.others, freer)} if freer is not None else set()
    reasons_by_step = {_step(other): other for other in (*reason.others, reason)}
    reasons_by_step |= {
        _step(other): other for other in (freer.others if freer is not None else ())
    }
    options = {}
    for key in reasons_by_step:
        options[key] = "" if freer is None or key in left else "--unsafe-fixes"
        options[key] = _OPTIONS.get(key[3], options[key])
    for key, each in sorted(reasons_by_step.items()):
        option = options[key]
        others = sum(1 for other in options.values() if not option or other != option)
        at = Spot(each.line, each.column + 1) if each.path else parts.spot(each.line, each.column)
        at = place if each is reason and place is not None else at
        event = NoStructuredForm(at, each.code, each.text, differences, each.shape, option, others)
        yield each.path, event


def _step(reason: Reason) -> tuple[str, int, int, str]:
    return reason.path, reason.line, reason.column, reason.code


def _replace(file: FileReport, content: bytes, form: StructuredForm, facts: ProjectFacts) -> None:
    replace_content(file, content, facts)
    for site in file.sites:
        site.outcome, site.migration = Outcome.REWRITTEN, Migration.RUNS
    file.structured = form


@dataclass(frozen=True)
class Misfit:
    """Why a file cannot have its new program, and where."""

    text: str
    at: Spot


def new_content(
    kind: FileType, before: bytes, parts: JoinedParts, form: Rewritten
) -> bytes | Misfit:
    """Return the bytes of a file with a new program, which read back as it."""
    document = read_document(kind, before)
    texts = document.texts
    try:
        texts = {**texts, **parts.split(form.text)}
        content = document.render(texts)
    except (RewriteProblem, NotebookProblem) as problem:
        return Misfit(str(problem), Spot(1, 1, _first_misfit(document, texts)))
    again = read_document(kind, content).texts
    wrong = [cell for cell in texts if not _is_same(texts[cell], again.get(cell, ""))]
    if wrong:
        return Misfit("the result does not read back as it was written", Spot(1, 1, wrong[0]))
    return content


def _first_misfit(document: Document, texts: Texts) -> int | None:
    """Return the first cell that cannot have its new source."""
    for cell, text in texts.items():
        try:
            document.render({**document.texts, cell: text})
        except NotebookProblem:
            return cell
    return None


def _is_same(text: str, other: str) -> bool:
    """Return whether two sources are the same program; cells in comments have no empty lines."""
    return text == other or ast.dump(ast.parse(text)) == ast.dump(ast.parse(other))


def unread_cell(parts: JoinedParts, form: Rewritten) -> Spot | None:
    """Return the place of a cell that may do something with the job, if nobody can read it."""
    for cell, text in parts.unread.items():
        if form.names.intersection(re.findall(r"\w+", text)):
            return Spot(1, 1, cell)
    return None


def form_with_places(form: Rewritten, parts: JoinedParts) -> StructuredForm:
    """Return what a rewriting says, with places in the file."""
    steps = tuple(
        StructuredStep(parts.spot(step.line), step.before, step.after, step.why)
        for step in form.steps
    )
    said = [with_place(text, parts) for text in form.differences]
    said += [f"cell {cell} does not parse, and stays as it is" for cell in parts.unread if cell]
    return StructuredForm(steps, tuple(said), form.is_portable, version_name(form.spark))


def with_place(text: str, parts: JoinedParts) -> str:
    """Return a note about a line with the place of that in the file."""
    return NOTED_LINE.sub(lambda line: shown_place(parts.spot(int(line[1]))), text)
