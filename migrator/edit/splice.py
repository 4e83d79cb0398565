"""Applies edits where they stand, without parsing the rest of the file with libcst.

A statement on lines of its own is given to libcst alone; a dotted name is replaced in the text.
Whatever else there is (statements that share a line, imports behind a colon) is left to
`migrator.edit.apply`. Both results pass the same proof.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable

from migrator.edit.edits import Edits, ExpressionEdit, StatementEdit
from migrator.source.lines import keep_ends
from migrator.source.python import Chunk

_REST_OF_LINE = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?\Z")
Rewrite = Callable[[str, ast.stmt, StatementEdit], str | None]


def spliced(chunk: Chunk, text: str, edits: Edits, rewrite: Rewrite) -> str | None:
    """The text with the edits of this chunk done, or None if one of them needs the whole file.

    Parameters
    ----------
    chunk
        The part of the source that is edited.
    text
        Its source.
    edits
        The edits of the whole unit.
    rewrite
        Gives the new source of a statement that stands alone (None if it cannot).
    """
    lines = keep_ends(text)
    replaced: list[tuple[int, int, str]] = []
    own = set(chunk.nodes)
    starts = _starts(lines)
    for node, edit in edits.by_node().items():
        if node not in own:
            continue
        if not isinstance(node, ast.stmt | ast.expr):
            return None
        start = _offset(node.lineno - chunk.first_line, node.col_offset, lines, starts)
        last = (node.end_lineno or node.lineno) - chunk.first_line
        end = _offset(last, node.end_col_offset or 0, lines, starts)
        if isinstance(edit, ExpressionEdit):
            replaced.append((start, end, edit.name))
            continue
        first = starts[node.lineno - chunk.first_line]
        body = lines[last].rstrip("\r\n")
        tail_start, tail_end = end, starts[last] + len(body)
        indent = text[first:start]
        stands_alone = not indent.strip(" \t\f") and _REST_OF_LINE.match(text[tail_start:tail_end])
        if (
            not stands_alone
            or not isinstance(node, ast.stmt)
            or _follows_a_backslash(lines, node, chunk)
        ):
            return None
        # added imports would need the indentation of the block
        if indent and edit.after:
            return None
        line_end = starts[last] + len(lines[last])
        new = rewrite(text[start:line_end], node, edit)
        if new is None:
            return None
        replaced.append((start, line_end, new))
    replaced.sort()
    if any(a[1] > b[0] for a, b in itertools.pairwise(replaced)):
        return None
    for start, end, new in reversed(replaced):
        text = text[:start] + new + text[end:]
    return text


def _starts(lines: list[str]) -> list[int]:
    found = [0]
    for line in lines:
        found.append(found[-1] + len(line))
    return found


def _offset(line: int, byte_column: int, lines: list[str], starts: list[int]) -> int:
    """The offset in characters of a position that `ast` gives."""
    text = lines[line]
    if text.isascii():
        return starts[line] + byte_column
    before = text.encode("utf-8", "surrogatepass")[:byte_column]
    return starts[line] + len(before.decode("utf-8", "surrogatepass"))


def _follows_a_backslash(lines: list[str], node: ast.stmt, chunk: Chunk) -> bool:
    before = node.lineno - chunk.first_line - 1
    return before >= 0 and lines[before].rstrip("\r\n").endswith("\\")
