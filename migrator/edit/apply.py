"""Applies edits to a source with libcst, which keeps every other byte."""

from __future__ import annotations

import ast

import libcst as cst

from migrator.edit.edits import Edits, ExpressionEdit, StatementEdit
from migrator.edit.node_order import numbers
from migrator.edit.splice import spliced
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk


def apply(chunk: Chunk, text: str, edits: Edits) -> str:
    """The text with the edits of this chunk done.

    Parameters
    ----------
    chunk
        The part of the source that is edited.
    text
        Its source.
    edits
        The edits of the whole unit.

    Raises
    ------
    RewriteProblem
        If libcst cannot parse the source.
    """
    quick = spliced(chunk, text, edits, _statement)
    if quick is not None:
        return quick
    wanted = numbered(chunk, edits)
    body, tail = _split_tail(text)
    try:
        module = cst.parse_module(body)
    except cst.ParserSyntaxError as error:
        raise RewriteProblem(f"libcst cannot parse it (line {error.raw_line})") from None
    return module.visit(_Editor(wanted)).code + tail


def _statement(text: str, node: ast.stmt, edit: StatementEdit) -> str | None:
    """The source of an import statement with its edit done, up to the end of its line."""
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return None
    return module.visit(_Editor({(type(node).__name__, 0): edit})).code


def _split_tail(text: str) -> tuple[str, str]:
    """The text without the blanks at its end, of which libcst loses some, and those blanks."""
    body = text.rstrip(" \t\r\n\f")
    # behind a backslash a line end is part of the statement
    return (text, "") if body.endswith("\\") else (body, text[len(body) :])


def numbered(chunk: Chunk, edits: Edits) -> dict[tuple[str, int], StatementEdit | ExpressionEdit]:
    """The edits of a chunk by the type and number of their node."""
    places = numbers(chunk.tree)
    return {places[node]: edit for node, edit in edits.by_node().items() if node in places}


class _Editor(cst.CSTTransformer):
    """One pass for all edits; it counts nodes as `migrator.edit.node_order` does."""

    def __init__(self, wanted: dict[tuple[str, int], StatementEdit | ExpressionEdit]) -> None:
        super().__init__()
        self.wanted = wanted
        self.counts: dict[str, int] = {}
        self.found: dict[cst.CSTNode, StatementEdit | ExpressionEdit] = {}

    def _count(self, node: cst.CSTNode, name: str) -> None:
        number = self.counts.get(name, 0)
        self.counts[name] = number + 1
        edit = self.wanted.get((name, number))
        if edit is not None:
            self.found[node] = edit

    def visit_Import(self, node: cst.Import) -> bool:
        self._count(node, "Import")
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        self._count(node, "ImportFrom")
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        self._count(node, "Attribute")
        return True

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        edit = self.found.get(original_node)
        if not isinstance(edit, ExpressionEdit):
            return updated_node
        return cst.Name(edit.name, lpar=updated_node.lpar, rpar=updated_node.rpar)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        edits = [self.found.get(part) for part in original_node.body]
        if not any(edits):
            return updated_node
        only = edits[0]
        if len(edits) > 1 or not isinstance(only, StatementEdit):
            return updated_node.with_changes(body=_edited(updated_node.body, edits))
        # imports of their own lines, as a person would write them
        statements = _edited(updated_node.body, edits)
        end = updated_node.trailing_whitespace
        lines: list[cst.BaseStatement] = []
        for index, statement in enumerate(statements):
            own = statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
            if index == 0:
                lines.append(updated_node.with_changes(body=[own]))
            else:
                newline = cst.TrailingWhitespace(newline=end.newline)
                lines.append(cst.SimpleStatementLine([own], trailing_whitespace=newline))
        return cst.FlattenSentinel(lines)

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite:
        edits = [self.found.get(part) for part in original_node.body]
        if not any(edits):
            return updated_node
        return updated_node.with_changes(body=_edited(updated_node.body, edits))


def _edited(
    body: object, edits: list[StatementEdit | ExpressionEdit | None]
) -> list[cst.BaseSmallStatement]:
    """The small statements of a line, edited and with added imports behind them."""
    assert isinstance(body, list | tuple)
    found: list[cst.BaseSmallStatement] = []
    for statement, edit in zip(body, edits, strict=True):
        if not isinstance(edit, StatementEdit):
            found.append(statement)
            continue
        new = [_import(module, alias) for module, alias in edit.after]
        if not edit.replaces_all:
            new.insert(0, _changed(statement, edit))
        # a semicolon that ended the line still does
        new[-1] = new[-1].with_changes(semicolon=statement.semicolon)
        if len(new) > 1:
            new[0] = new[0].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        found.extend(new)
    return found


def _import(module: str, alias: str | None) -> cst.BaseSmallStatement:
    name = cst.AsName(cst.Name(alias)) if alias is not None else None
    return cst.Import([cst.ImportAlias(_dotted(module), name)])


def _dotted(path: str) -> cst.Name | cst.Attribute:
    first, *rest = path.split(".")
    node: cst.Name | cst.Attribute = cst.Name(first)
    for part in rest:
        node = cst.Attribute(node, cst.Name(part))
    return node


def _changed(statement: cst.BaseSmallStatement, edit: StatementEdit) -> cst.BaseSmallStatement:
    if isinstance(statement, cst.ImportFrom):
        if edit.module is not None:
            statement = statement.with_changes(module=_dotted(edit.module))
        if edit.dropped:
            statement = statement.with_changes(names=_without(statement, edit.dropped))
        return statement
    assert isinstance(statement, cst.Import)
    names = [
        alias.with_changes(name=_dotted(edit.renamed[index])) if index in edit.renamed else alias
        for index, alias in enumerate(statement.names)
    ]
    return statement.with_changes(names=names)


def _without(statement: cst.ImportFrom, dropped: set[int]) -> list[cst.ImportAlias]:
    """The names of a from-import that stay, the last one punctuated as the last one was."""
    assert not isinstance(statement.names, cst.ImportStar)
    names = list(statement.names)
    kept = [alias for index, alias in enumerate(names) if index not in dropped]
    if len(names) - 1 in dropped:
        kept[-1] = kept[-1].with_changes(comma=names[-1].comma)
    return kept
