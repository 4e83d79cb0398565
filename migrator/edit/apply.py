"""Turns edits of a Python source into spans of its text, which leaves every other byte as it is.

Only the import statements that change are given to libcst, which keeps their comments and layout.
"""

from __future__ import annotations

import ast
import re

import libcst as cst

from migrator.edit.edits import Edits, ExpressionEdit, StatementEdit
from migrator.edit.node_order import numbers
from migrator.source.lines import keep_ends
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk
from migrator.source.spans import Span, overlap, with_spans

_REST_OF_LINE = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?\Z")


def apply(chunk: Chunk, text: str, edits: Edits) -> str:
    """Return the text with the edits of this chunk done.

    Parameters
    ----------
    chunk : Chunk
        The part of the source that is edited.
    text : str
        Its source.
    edits : Edits
        The edits of the whole unit.

    Raises
    ------
    RewriteProblem
        If libcst cannot parse a statement, or two edits overlap.
    """
    lines = _Lines(chunk, text)
    own = set(chunk.nodes)
    spans: list[Span] = []
    for node, edit in edits.by_node().items():
        if node not in own:
            continue
        if isinstance(edit, ExpressionEdit):
            spans.append(Span(*lines.offsets(edit.node), edit.name))
        else:
            spans.append(_statement(lines, edit))
    if overlap(spans):
        raise RewriteProblem("two edits overlap")
    return with_spans(text, spans)


def numbered(chunk: Chunk, edits: Edits) -> dict[tuple[str, int], StatementEdit | ExpressionEdit]:
    """Return the edits of a chunk by the type and number of their node."""
    places = numbers(chunk.tree)
    return {places[node]: edit for node, edit in edits.by_node().items() if node in places}


class _Lines:
    """The lines of a chunk and where they start in its text."""

    def __init__(self, chunk: Chunk, text: str) -> None:
        self.chunk = chunk
        self.text = text
        self.lines = keep_ends(text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offsets(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        """Return where a node starts and ends, in characters."""
        last = node.end_lineno or node.lineno
        end = self._offset(last, node.end_col_offset or 0)
        return self._offset(node.lineno, node.col_offset), end

    def _offset(self, line: int, byte_column: int) -> int:
        index = line - self.chunk.first_line
        text = self.lines[index]
        if text.isascii():
            return self.starts[index] + byte_column
        before = text.encode("utf-8", "surrogatepass")[:byte_column]
        return self.starts[index] + len(before.decode("utf-8", "surrogatepass"))

    def around(self, node: ast.stmt) -> tuple[str, str, str] | None:
        """Return what stands before and behind a statement that
        has its lines alone, and its line end.
        """
        start, end = self.offsets(node)
        first = node.lineno - self.chunk.first_line
        last = (node.end_lineno or node.lineno) - self.chunk.first_line
        indent = self.text[self.starts[first] : start]
        line = self.text[end : self.starts[last + 1]]
        rest = line.rstrip("\r\n")
        continued = first > 0 and self.lines[first - 1].rstrip("\r\n").endswith("\\")
        if continued or indent.strip(" \t\f") or not _REST_OF_LINE.match(rest):
            return None
        return indent.lstrip("\f"), rest, line[len(rest) :] or self._usual_end()

    def _usual_end(self) -> str:
        first = self.lines[0]
        return first[len(first.rstrip("\r\n")) :] or "\n"


def _statement(lines: _Lines, edit: StatementEdit) -> Span:
    start, end = lines.offsets(edit.node)
    parts = [] if edit.replaces_all else [_changed(lines.text[start:end], edit)]
    for module, alias in edit.after:
        parts.append(f"import {module}" if alias is None else f"import {module} as {alias}")
    around = lines.around(edit.node)
    if len(parts) == 1 or around is None:
        return Span(start, end, "; ".join(parts))
    # imports of their own lines, as a person would write them; a comment stays with the first one
    indent, rest, line_end = around
    parts[0] += rest
    return Span(start, end + len(rest), (line_end + indent).join(parts))


def _changed(text: str, edit: StatementEdit) -> str:
    """Return the source of an import statement with other
    modules, and without the names that go.
    """
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise RewriteProblem(
            f"libcst cannot parse it (line {edit.node.lineno + error.raw_line - 1})"
        ) from None
    (line,) = module.body
    assert isinstance(line, cst.SimpleStatementLine)
    (statement,) = line.body
    if isinstance(statement, cst.ImportFrom):
        if edit.module is not None:
            statement = statement.with_changes(
                module=cst.parse_expression(edit.module), relative=()
            )
        if edit.dropped:
            statement = statement.with_changes(names=_without(statement, edit.dropped))
        return module.code_for_node(statement)
    assert isinstance(statement, cst.Import)
    names = list(statement.names)
    for index, path in edit.renamed.items():
        names[index] = names[index].with_changes(name=cst.parse_expression(path))
    return module.code_for_node(statement.with_changes(names=names))


def _without(statement: cst.ImportFrom, dropped: set[int]) -> list[cst.ImportAlias]:
    """Return the names of a from-import that stay, the last one punctuated as the last one was."""
    assert not isinstance(statement.names, cst.ImportStar)
    names = list(statement.names)
    kept = [alias for index, alias in enumerate(names) if index not in dropped]
    if len(names) - 1 in dropped:
        kept[-1] = kept[-1].with_changes(comma=names[-1].comma)
    return kept
