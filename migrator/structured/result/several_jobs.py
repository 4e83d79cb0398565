"""The results of jobs one after the other, as one module again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.infer.scopes import binding_of_import

from ..program.bindings import names_of
from ..program.modules import SourceModule
from ..unfold.edits import LineEdit, with_edits, without
from ..unfold.several_jobs import BEGINS, ENDS, HIDES, stored_names
from .imports import Import, import_of
from .layout import tidy_blank_lines
from .unused import without_unused


@dataclass
class _Parts:
    """A result in its parts.

    Parameters
    ----------
    module : SourceModule
        the result
    runs : dict of int to (int, int)
        the lines of the code of its job, by the numbers of their places
    hidden : dict of int to int
        the lines that stand for other jobs
    shared : list of stmt
        what is in no job
    """

    module: SourceModule
    runs: dict[int, tuple[int, int]] = field(default_factory=dict)
    hidden: dict[int, int] = field(default_factory=dict)
    shared: list[ast.stmt] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> _Parts:
        """Return the parts of a result."""
        module = SourceModule(text, ast.parse(text))
        parts, begin = cls(module), 0
        for statement in module.tree.body:
            match statement:
                case ast.Expr(
                    value=ast.Tuple(
                        elts=[ast.Constant(value=kind), ast.Constant(value=int(run)), *_]
                    )
                ) if kind in (BEGINS, ENDS, HIDES):
                    if kind == BEGINS:
                        begin = statement.lineno + 1
                    elif kind == ENDS:
                        parts.runs[run] = begin, statement.lineno - 1
                        begin = 0
                    else:
                        parts.hidden[run] = statement.lineno
                case _ if not begin:
                    parts.shared.append(statement)
        return parts

    def lines(self, run: int) -> Iterator[str]:
        """Yield the lines of a part of the job."""
        first, last = self.runs[run]
        for number in range(first, last + 1):
            yield self.module.lines[number - 1].rstrip("\n")

    def used_names(self) -> set[str]:
        """Return the names that the job uses, in its own code and in what is shared."""
        runs = [*self.runs.values()]
        return {
            name
            for statement in self.module.tree.body
            if statement in self.shared or any(a <= statement.lineno <= b for a, b in runs)
            for name in names_of(statement)
        }

    def definitions(self) -> dict[str, ast.stmt]:
        """Return the shared statements that define something, by its name."""
        statements: dict[str, ast.stmt] = {}
        for statement in self.shared:
            match statement:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    statements[name] = statement
                case ast.Assign(targets=[ast.Name(id=name)]):
                    statements[name] = statement
        return statements


def join_results(before: SourceModule, texts: list[str]) -> str | None:
    """Return the results of all jobs of a module as one; None if they do not fit together.

    Parameters
    ----------
    texts : list of str
        the result of each job, in which statements stand for the others
    """
    first, *others = [_Parts.of(text) for text in texts]
    old = {ast.dump(statement) for statement in before.tree.body}
    dumps = {ast.dump(each) for each in first.shared}
    names = first.definitions()
    used = {name for other in (first, *others) for name in other.used_names()}
    edits: dict[ast.stmt, LineEdit] = {}
    added: list[Import] = [e for e in first.shared if isinstance(e, Import)]
    above: dict[int, list[str]] = {}
    for other in others:
        mine = {ast.dump(each) for each in other.shared}
        own = {node: name for name, node in other.definitions().items()}
        for statement in other.shared:
            if isinstance(statement, Import):
                added.append(statement)
            elif (dump := ast.dump(statement)) not in dumps:
                name = own.get(statement, "")
                definition = names.get(name)
                is_new = dump not in old
                if not is_new and name not in other.used_names():
                    continue
                text = _source(other.module, statement)
                if definition is not None and (settings := _settings(statement)):
                    if settings > _settings(definition):
                        edits[definition] = _instead(first.module, definition, text)
                    elif not settings <= _settings(definition):
                        return None
                    continue
                if not name or (
                    definition is not None and not (is_new and ast.dump(definition) in old)
                ):
                    return None
                if definition is None:
                    above.setdefault(min(other.runs), []).extend(["", "", *text, "", ""])
                elif name in first.used_names():
                    return None
                else:
                    edits[definition] = _instead(first.module, definition, text)
        for statement in first.shared:
            dump = ast.dump(statement)
            if dump in old and dump not in mine and not isinstance(statement, Import):
                name = next((n for n, e in names.items() if e is statement), "")
                if name not in used:
                    edits.setdefault(statement, without(first.module, statement))
    runs = [
        LineEdit(line, line, tuple((e, line) for e in [*above.get(run, []), *other.lines(run)]))
        for other in others
        for run in other.runs
        if (line := first.hidden[run])
    ]
    marks = [
        LineEdit(line, line) for pair in first.runs.values() for line in (pair[0] - 1, pair[1] + 1)
    ]
    whole = with_edits(first.module, [*edits.values(), *runs, *marks])
    imports = [
        *added,
        *(statement for statement in before.tree.body if isinstance(statement, Import)),
    ]
    code = tidy_blank_lines(without_unused(_with_imports(whole, imports), before))
    return _without_imports(SourceModule(code, ast.parse(code)), names_of(before.tree))


def _settings(statement: ast.stmt) -> set[str]:
    """Return the settings of a session that a statement makes, none if it makes none."""
    settings = set()
    node: ast.AST = statement.value if isinstance(statement, ast.Assign) else statement
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        settings.add(ast.unparse(ast.Call(ast.Name(node.func.attr), node.args, node.keywords)))
        node = node.func.value
    return settings if ast.unparse(node) == "SparkSession.builder" else set()


def new_names(before: SourceModule, text: str) -> frozenset[str]:
    """Return the names at the top of a result that its module has not, but for imports."""
    bound = (
        name
        for statement in ast.parse(text).body
        if not isinstance(statement, Import)
        for name in stored_names(statement)
    )
    return frozenset(bound) - before.names


def _source(module: SourceModule, statement: ast.stmt) -> list[str]:
    last = statement.end_lineno or statement.lineno
    return [
        module.lines[n - 1].rstrip("\n") for n in range(module.first_comment(statement), last + 1)
    ]


def _instead(module: SourceModule, statement: ast.stmt, lines: list[str]) -> LineEdit:
    first, last = module.first_comment(statement), statement.end_lineno or statement.lineno
    return LineEdit(first, last, tuple((line, first) for line in lines))


def _with_imports(module: SourceModule, imports: list[Import]) -> str:
    """Return a module with those of some imports that it needs, and without others of them."""
    used = names_of(module.tree)
    bound = {
        name
        for node in ast.walk(module.tree)
        if isinstance(node, Import)
        for alias in node.names
        for name in binding_of_import(node, alias)
    }
    lines: dict[str, None] = {}
    for node in imports:
        for alias in node.names:
            names = binding_of_import(node, alias)
            if names.keys() & used and not names.keys() & bound:
                lines[import_of(node, [alias])] = None
                bound |= names.keys()
    place = 0
    for statement in module.tree.body:
        is_text = isinstance(getattr(statement, "value", None), ast.Constant)
        if not (isinstance(statement, Import) or is_text):
            break
        place = statement.end_lineno or statement.lineno
    edit = LineEdit(place + 1, place, tuple((line, place) for line in lines))
    return with_edits(module, [edit]).text


def _without_imports(module: SourceModule, was_used: set[str]) -> str:
    """Return a module without the imports that nothing uses any more."""
    used, edits = names_of(module.tree), []
    for node in module.tree.body:
        if isinstance(node, Import) and getattr(node, "module", "") != "__future__":
            names_left = [
                e for e in node.names if not (binding_of_import(node, e).keys() & was_used - used)
            ]
            if not names_left:
                edits.append(LineEdit(node.lineno, node.end_lineno or node.lineno))
            elif len(names_left) < len(node.names):
                lines = ((import_of(node, names_left), node.lineno),)
                edits.append(LineEdit(node.lineno, node.end_lineno or node.lineno, lines))
    return with_edits(module, edits).text
