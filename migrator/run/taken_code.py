"""Code that jobs take from other files of their project, and what is left of these files.

Decision 0116: Jobs take the code of other files.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache, partial
from pathlib import Path

from migrator.discover.candidates import MAX_BYTES
from migrator.discover.filetypes import FileType, type_of
from migrator.discover.neighbours import neighbours
from migrator.infer.around import ModulesAround
from migrator.model.locate import ModuleIndex
from migrator.model.projects import ProjectFacts
from migrator.model.report import FileReport, Migration, Outcome, Report, Status
from migrator.rules.registry import judge
from migrator.run.analyse_file import analyse, kind_of
from migrator.run.apply_fixes import OTHER_RULES
from migrator.select.comments import apply_comments
from migrator.source.decode import DecodeProblem
from migrator.source.document import Document, read_document
from migrator.source.notebook import NotebookProblem
from migrator.source.python import Unit
from migrator.structured.refusals import Reason
from migrator.structured.result.left_over import without_definitions

_PROGRAMS = (FileType.PYTHON, FileType.NOTEBOOK)


def modules_around(report: Report, file: FileReport) -> ModulesAround:
    """Return the modules around a job of a report, from which it may take code."""
    by_path = {each.path: each for each in report.files}

    @cache
    def load(path: str) -> Unit | None:
        other = by_path.get(path)
        kind = type_of(path) if other is None else kind_of(other)
        data = report.programs.read(path) if other is None else other.before_fixes
        try:
            return None if kind not in _PROGRAMS else read_document(kind, data).unit
        except (DecodeProblem, NotebookProblem):
            return None

    def stream_lines(path: str) -> Collection[int]:
        sites = by_path[path].sites if path in by_path else []
        return {each.at.line for each in sites if each.receiver != "module"}

    return ModulesAround(file.path, report.programs.index(), load, stream_lines)


def _document(file: FileReport) -> Document | None:
    """Return a Python file that parses as it is or was converted, None if it does not."""
    if kind_of(file) is not FileType.PYTHON:
        return None
    try:
        document = read_document(FileType.PYTHON, file.before_fixes)
    except DecodeProblem:
        return None
    return document if document.unit is not None and document.unit.is_file else None


def unmade_fix(report: Report, taken: Collection[tuple[str, str]]) -> Reason | None:
    """Return the reason of a job with code of another file in which something has to be fixed on
    any target.
    """
    by_path = {file.path: file for file in report.files}
    for path, name in taken:
        file = by_path.get(path)
        document = None if file is None else _document(file)
        if file is None or document is None:
            continue
        (node,) = [
            statement
            for statement in ast.parse(document.texts[None] or "").body
            if getattr(statement, "name", None) == name
        ]
        for finding in file.findings:
            inside = node.lineno <= finding.at.line <= (node.end_lineno or node.lineno)
            if inside and finding.fix is not None and finding.code.startswith(OTHER_RULES):
                text = f"a part of the job needs another change first: {finding.problem}"
                return Reason("FILES", text, node.lineno, node.col_offset, path=path)
    return None


def leave_out(report: Report, taken: Mapping[str, Collection[str]]) -> None:
    """Take functions and classes out of their files that jobs have now, and nobody else uses.

    Parameters
    ----------
    report : Report
        the report, whose jobs are rewritten
    taken : mapping of str to collection of str
        their names by their files
    """
    files = {file.path: file for file in report.files if file.path in taken}
    texts: dict[str, str] = {}
    gone: dict[str, set[str]] = {path: set() for path in files}
    changed = True
    while changed:
        changed = False
        for path, file in files.items():
            document = _document(file)
            if document is None:
                continue
            before = texts.get(path, document.texts[None] or "")
            users = [importer for importer in report.programs.importers(path) if importer != path]
            is_used = partial(_is_named, report, texts, users)
            text, names = without_definitions(before, taken[path], is_used)
            if names:
                texts[path], changed = text, True
                gone[path] |= names
    for path, text in texts.items():
        _replace(report, files[path], text, gone[path])


def _is_named(report: Report, texts: Mapping[str, str], paths: Collection[str], name: str) -> bool:
    """Return whether one of some files, as they are now, names something."""
    by_path = {file.path: file for file in report.files}
    for path in paths:
        text = texts.get(path)
        if text is None:
            file = by_path.get(path)
            moved = file is not None and file.structured is not None
            data = report.programs.read(path) if file is None else file.before_fixes
            data = (file.content or data) if file is not None and moved else data
            text = data.decode("utf-8", "replace")
        if _names(text, name):
            return True
    return False


def _names(text: str, name: str) -> bool:
    """Return whether a program may use a name of a module that it imports."""
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError):
        return re.search(rf"\b{re.escape(name)}\b", text) is not None
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {
        (alias.asname or alias.name).partition(".")[0]
        for statement in imports
        for alias in statement.names
    }
    for node in nodes:
        match node:
            case ast.ImportFrom(names=names) if {name, "*"} & {name.name for name in names}:
                return True
            case ast.Constant(value=str(word)) if word == name:
                return True
            case ast.Attribute(value=owner, attr=attribute) if attribute == name:
                while isinstance(owner, ast.Attribute):
                    owner = owner.value
                if not isinstance(owner, ast.Name) or owner.id in modules:
                    return True
    return False


def _replace(report: Report, file: FileReport, text: str, gone: Collection[str]) -> None:
    """Give a file the code that is left of it."""
    document = _document(file)
    assert document is not None
    content = document.render({**document.texts, None: text})
    lines = {
        line
        for statement in ast.parse(document.texts[None] or "").body
        if getattr(statement, "name", None) in gone
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }
    again = replace_content(file, content, report.facts(file.project))
    file.content = content if again.content is None else again.content
    for site in file.sites:
        if site.at.line in lines or (site.receiver == "module" and not again.sites):
            site.outcome, site.migration = Outcome.REWRITTEN, Migration.RUNS


def replace_content(file: FileReport, content: bytes, facts: ProjectFacts) -> FileReport:
    """Give a file a new content, with those of its findings that are still true, and return what is
    found in that.
    """
    again = analyse(file.path, kind_of(file), content, convert=False)
    judge(again, facts)
    apply_comments(again)
    file.content, file.status = content, Status.REWRITTEN
    left = Counter((finding.code, finding.problem) for finding in again.findings)
    before, file.findings = file.findings, []
    for finding in before:
        key = finding.code, finding.problem
        if left[key]:
            left[key] -= 1
            file.findings.append(finding)
    return again


def surroundings(file: Path) -> ModulesAround:
    """Return the modules around a file."""
    around = neighbours(file.parent)

    def load(name: str) -> Unit | None:
        source, kind = around.sources[name]
        if source.size > MAX_BYTES:
            return None
        try:
            return read_document(kind, source.path.read_bytes()).unit
        except (OSError, DecodeProblem, NotebookProblem):
            return None

    return ModulesAround(file.name, ModuleIndex(around.sources, around.base), load)
