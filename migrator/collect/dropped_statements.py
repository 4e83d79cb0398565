"""The edits that take simple statements out of a program, comments kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from migrator.model.report import TextEdit
from migrator.source.python import Unit

_LINE = re.compile(r"(?P<text>[^\r\n]*)(?:\r\n|\r|\n|\Z)")
_REST = re.compile(r"[ \t]*;?[ \t]*(?P<comment>#[^\r\n]*)?\Z")


@dataclass(frozen=True, slots=True)
class _Run:
    """Statements of a block that follow each other on the same lines, and what is beside them."""

    statements: list[ast.stmt]
    before: ast.stmt | None
    after: ast.stmt | None


def dropping_edits(unit: Unit, statements: Iterable[ast.stmt]) -> tuple[TextEdit, ...]:
    """Return the edits that take statements out; none at all if one of them cannot be taken out."""
    going = set(statements)
    leaving = frozenset(going)
    edits: list[TextEdit] = []
    for block in blocks(unit):
        mine = [s for s in block if s in going]
        if not mine:
            continue
        # a module may be empty
        needs_pass = block is not unit.tree.body and all(s in leaving for s in block)
        for run in _runs(block, going):
            going.difference_update(run.statements)
            edit = _edit(unit, run, needs_pass, leaving)
            if edit is None:
                return ()
            edits.append(edit)
            needs_pass = False
    return () if going else tuple(edits)


def blocks(unit: Unit) -> Iterator[list[ast.stmt]]:
    """Yield all lists of statements of a unit."""
    for node in chain([unit.tree], unit.nodes()):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _runs(block: list[ast.stmt], going: set[ast.stmt]) -> Iterator[_Run]:
    index = 0
    while index < len(block):
        if block[index] not in going:
            index += 1
            continue
        last = index
        while (
            last + 1 < len(block)
            and block[last + 1] in going
            and block[last].end_lineno == block[last + 1].lineno
        ):
            last += 1
        first, end = block[index], block[last]
        before = block[index - 1] if index else None
        after = block[last + 1] if last + 1 < len(block) else None
        yield _Run(
            block[index : last + 1],
            before if before is not None and before.end_lineno == first.lineno else None,
            after if after is not None and after.lineno == end.end_lineno else None,
        )
        index = last + 1


def _edit(unit: Unit, run: _Run, needs_pass: bool, leaving: frozenset[ast.stmt]) -> TextEdit | None:
    first, last = run.statements[0], run.statements[-1]
    chunk = unit.chunk_at(first.lineno)
    if not chunk.is_edited or chunk.is_partial:
        return None
    start = chunk.span(first)[0]
    end = chunk.span(last)[1]
    line = max(chunk.text.rfind("\n", 0, start), chunk.text.rfind("\r", 0, start)) + 1
    rest = _LINE.match(chunk.text, end)
    assert rest is not None
    alone = None if chunk.text[line:start].strip() else _REST.match(rest["text"])
    text = chunk.text[start:end]
    if "#" in text and "\n" in text:
        # perhaps a comment, which would be lost
        return None
    if needs_pass:
        return chunk.edit(start, end, "pass")
    if alone and alone["comment"] is not None:
        return chunk.edit(start, end + alone.start("comment"), "")
    if alone:
        return chunk.edit(line, rest.end(), "")
    if run.after is not None and run.after not in leaving:
        after = chunk.span(run.after)[0]
        return chunk.edit(start, after, "")
    before = run.before
    # a magic of a notebook stands in the text as `pass`
    if before is not None and before not in leaving and not isinstance(before, ast.Pass):
        after = chunk.span(before)[1]
        return chunk.edit(after, end, "")
    return chunk.edit(start, end, "pass")
