"""Which cells of a notebook that do not parse are needed by its streaming code.

Exercises with blanks do not parse, and nothing of the job depends on them. A cell is needed if it
binds a name that a cell with streaming code reads, directly or through other cells.
"""

from __future__ import annotations

import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrator.infer.program import Program
from migrator.infer.values import Value, holds_streams
from migrator.source.document import BrokenPart
from migrator.source.python import Chunk
from migrator.spark.api import canonical, in_streaming

_NAME = re.compile(r"[^\W\d]\w*")
# an attribute is no name
_READ = re.compile(r"(?<![\w.])[^\W\d]\w*")
# no pattern may go over the same blanks twice: cells hold long lines of them
_COMMENT_OR_TEXT = re.compile(
    r"#.*|(?P<prefix>\b[rbuft]{1,2})?"
    r"(?:\"{3}(?:\\[\s\S]|[^\\])*?\"{3}|'{3}(?:\\[\s\S]|[^\\])*?'{3}"
    r"|\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+')",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\{[^{}]*\}")
# what may bind names in text that does not parse
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_TARGETS = re.compile(
    r"^[ \t]*([\w(\[*][\w \t,()\[\].*]*+)(?::[^=\n]*)?(?:[-+/%|&^@]|//|<<|>>)?=(?!=)",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import\b(.+)", re.MULTILINE)
_OTHERS = re.compile(
    r"\bfor\b(.+?)\bin\b|\bas[ \t]+(\w+)|\b(\w++)[ \t]*+:=|^[ \t]*global\b(.+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class _Cell:
    number: int
    binds: frozenset[str]
    reads: frozenset[str]
    is_broken: bool


def needed_cells(
    chunks: Iterable[Chunk],
    broken: Iterable[BrokenPart],
    streaming: Iterable[int | None],
    program: Program,
) -> set[int]:
    """Return the numbers of the broken cells that have streaming code, or that such cells need.

    Parameters
    ----------
    chunks : iterable of Chunk
        The cells that parse.
    broken : iterable of BrokenPart
        Those that do not.
    program : Program
        What is known of the cells that parse.
    """
    streams = {n for n, v in program.module.bound.items() if holds_streams(v) or _is_api(v)}
    cells = [_parse_cell(c.cell, c.text) for c in chunks if c.cell is not None]
    cells += [_scan_cell(p.cell, p.text) for p in broken if p.cell is not None]
    # the statements of a cell that parse stand beside the others
    cells.sort(key=lambda cell: (cell.number, cell.is_broken))
    own = {c.number for c in cells if c.is_broken and c.reads & streams}
    pending = [cell for cell in cells if cell.number in {*streaming, *own}]
    seen = set(pending)
    while pending:
        user = pending.pop()
        for name in user.reads:
            cell = _binder(cells, user.number, name)
            if cell is not None and cell not in seen:
                seen.add(cell)
                pending.append(cell)
    return {cell.number for cell in seen if cell.is_broken}


def _is_api(value: Value) -> bool:
    return any(in_streaming(canonical(path)) for path in value.paths)


def _binder(ordered: list[_Cell], user: int, name: str) -> _Cell | None:
    """Return the cell that gives a name its value: the last one before its use, if there is one."""
    before = [c for c in ordered if c.number <= user and name in c.binds]
    if before:
        return before[-1]
    after = [c for c in ordered if c.number > user and name in c.binds]
    return next((c for c in after if not c.is_broken), after[0] if after else None)


def _parse_cell(number: int, text: str) -> _Cell:
    """Return a cell by the names that it shares with others: the global ones."""
    binds, reads = set(), set()
    try:
        tables = [symtable.symtable(text, "cell", "exec")]
    except SyntaxError:
        # what parses need not compile
        return _scan_cell(number, text, False)
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() or table.get_type() == "module":
                if symbol.is_referenced():
                    reads.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    binds.add(symbol.get_name())
    return _Cell(number, frozenset(binds), frozenset(reads), False)


def _scan_cell(number: int, text: str, is_broken: bool = True) -> _Cell:
    """Return a cell by the names in its text."""
    code = _COMMENT_OR_TEXT.sub(_fields, text)
    return _Cell(number, frozenset(_bound_names(code)), frozenset(_READ.findall(code)), is_broken)


def _fields(match: re.Match[str]) -> str:
    """Return the code that a comment or text holds: what an f-string puts in."""
    kind = (match["prefix"] or "").lower()
    return " ".join(_FIELD.findall(match[0])) if {*kind} & {"f", "t"} else " "


def _bound_names(text: str) -> Iterator[str]:
    yield from _DEFINITION.findall(text)
    for targets in (*_TARGETS.findall(text), *(m for ms in _OTHERS.findall(text) for m in ms)):
        yield from _NAME.findall(targets)
    for names in _IMPORT.findall(text):
        yield from _NAME.findall(names)
