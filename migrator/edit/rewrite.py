"""Edits the imports and dotted paths of a unit, and proves each result.

Edits are spans of the text inside of import statements and paths, so every other byte stays.

Decision 0026: Statements are edited where they stand.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from migrator.source.document import Texts
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk, ParseProblem, Unit, nodes_of, parse
from migrator.source.spans import Span, overlap, with_spans

# Edits of a Python source, as the planner makes them and `migrator.edit.rewrite` does them.


@dataclass(slots=True)
class StatementEdit:
    """Changes to one import statement.

    Parameters
    ----------
    module : str, optional
        The new module of a from-import.
    renamed : dict of int to str
        New module names by position in the statement.
    dropped : set of int
        Positions of names that go away.
    after : list of (str, str or None)
        Imports to add behind it, as (module, alias); if every name is dropped they take its place.
    """

    node: ast.Import | ast.ImportFrom
    module: str | None = None
    renamed: dict[int, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    after: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def replaces_all(self) -> bool:
        """Whether nothing of the statement stays."""
        return len(self.dropped) == len(self.node.names)


@dataclass(slots=True)
class ExpressionEdit:
    """A dotted expression that becomes a name."""

    node: ast.Attribute
    name: str


@dataclass(slots=True)
class Edits:
    """All edits of a unit."""

    statements: dict[ast.AST, StatementEdit] = field(default_factory=dict)
    expressions: dict[ast.AST, ExpressionEdit] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.statements or self.expressions)

    def statement(self, node: ast.Import | ast.ImportFrom) -> StatementEdit:
        """Return the edit of a statement, made when first asked for."""
        return self.statements.setdefault(node, StatementEdit(node))

    def by_node(self) -> dict[ast.AST, StatementEdit | ExpressionEdit]:
        """Return every edit by its node."""
        return {**self.statements, **self.expressions}


_Edits = Mapping[ast.AST, StatementEdit | ExpressionEdit]
_BLANK = r"(?:\s|\\[\r\n]+)*"
_MODULE = re.compile(rf"from(?P<gap>{_BLANK})(?P<module>[^#]*?){_BLANK}\bimport\b")
_DOTTED = re.compile(rf"\w+(?:{_BLANK}\.{_BLANK}\w+)*")
_REST_OF_LINE = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?\Z")


def apply_edits(unit: Unit, texts: Texts, edits: Edits) -> Texts:
    """Return the texts of a unit after its edits.

    Parameters
    ----------
    texts : Texts
        The source of each chunk by cell.

    Raises
    ------
    RewriteProblem
        If one of the results cannot be proven right.
    """
    result = dict(texts)
    by_node = edits.by_node()
    for chunk in unit.chunks:
        own = {node: by_node[node] for node in chunk.nodes if node in by_node}
        if not own:
            continue
        if chunk.is_partial:
            raise RewriteProblem("an edit concerns a cell that does not parse")
        spans = [span for edit in own.values() for span in _spans(chunk, edit)]
        after = with_spans(chunk.text, spans)
        wrong = difference(chunk, spans, after, own)
        if wrong is not None:
            raise RewriteProblem(wrong)
        result[chunk.cell] = after
    return result


def _spans(chunk: Chunk, edit: StatementEdit | ExpressionEdit) -> Iterator[Span]:
    if isinstance(edit, ExpressionEdit):
        yield Span(*chunk.span(edit.node), edit.name)
        return
    start, end = chunk.span(edit.node)
    added = [
        f"import {m}" if alias is None else f"import {m} as {alias}" for m, alias in edit.after
    ]
    if edit.replaces_all:
        yield Span(start, end, added.pop(0))
    else:
        yield from _import_spans(chunk, edit)
    around = _around(chunk, edit.node)
    if around is None:
        yield Span(end, end, "".join(f"; {each}" for each in added))
    elif added:
        # lines of their own, as a person would write them; a comment stays with the first one
        indent, rest, line_end = around
        end += len(rest)
        yield Span(end, end, "".join(line_end + indent + each for each in added))


def _around(chunk: Chunk, node: ast.stmt) -> tuple[str, str, str] | None:
    """Return what stands before and behind a statement that has its lines alone, and its end."""
    start, end = chunk.span(node)
    rows, starts = chunk.lines.rows, chunk.lines.starts
    first, last = (chunk.lines.place(each)[0] for each in (start, end))
    indent, line = chunk.text[starts[first - 1] : start], chunk.text[end : starts[last]]
    rest = line.rstrip("\r\n")
    continued = first > 1 and rows[first - 2].rstrip("\r\n").endswith("\\")
    if continued or indent.strip(" \t\f") or not _REST_OF_LINE.match(rest):
        return None
    return indent.lstrip("\f"), rest, line[len(rest) :] or chunk.lines.usual_end


def _import_spans(chunk: Chunk, edit: StatementEdit) -> Iterator[Span]:
    """Yield what gives an import other modules, and takes out the names that go."""
    start, _ = chunk.span(edit.node)
    names = [chunk.span(alias) for alias in edit.node.names]
    if edit.module is not None:
        match = _MODULE.match(chunk.text, start)
        assert match is not None
        yield Span(*match.span("module"), edit.module if match["gap"] else f" {edit.module}")
    for index, path in edit.renamed.items():
        match = _DOTTED.match(chunk.text, names[index][0])
        assert match is not None
        yield Span(*match.span(), path)
    last = max(index for index in range(len(names)) if index not in edit.dropped)
    for index in edit.dropped:
        if index < last:
            yield Span(names[index][0], names[index + 1][0], "")
    if last < len(names) - 1:
        yield Span(names[last][1], names[-1][1], "")


def difference(chunk: Chunk, spans: list[Span], after: str, edits: _Edits) -> str | None:
    """Return what is wrong with an edited source, None if it is proven right: it is the old program
    with the edits done, has the same comments, and compiles if the old one did.
    """
    if overlap(spans):
        return "two edits overlap"
    try:
        tree = parse(after)
    except ParseProblem as problem:
        return f"the result does not parse: {problem.detail}"
    old = parse(chunk.text)
    places = dict(zip(nodes_of(old), chunk.nodes, strict=True))
    by_node = {node: edits[place] for node, place in places.items() if place in edits}
    if ast.dump(tree) != ast.dump(_AstEditor(by_node).visit(old)):
        return "the result is not the old program with the planned edits"
    if _compiles(chunk.text) and not _compiles(after):
        return "the result does not compile"
    # there are no texts in what is edited
    if any("#" in chunk.text[start:end] for start, end, _ in spans):
        return "a comment would be lost"
    return None


class _AstEditor(ast.NodeTransformer):
    def __init__(self, by_node: _Edits) -> None:
        self.by_node = by_node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        edit = self.by_node.get(node)
        if isinstance(edit, ExpressionEdit):
            return ast.Name(edit.name, node.ctx if isinstance(node.ctx, ast.Load) else ast.Load())
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return self._statement(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        return self._statement(node)

    def _statement(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        edit = self.by_node.get(node)
        if not isinstance(edit, StatementEdit):
            return [node]
        added: list[ast.stmt] = [
            ast.Import([ast.alias(module, alias)]) for module, alias in edit.after
        ]
        if edit.replaces_all:
            return added
        if isinstance(node, ast.ImportFrom) and edit.module is not None:
            node.module, node.level = edit.module, 0
        for index, name in edit.renamed.items():
            node.names[index].name = name
        node.names = [a for index, a in enumerate(node.names) if index not in edit.dropped]
        return [node, *added]


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<migrated>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
