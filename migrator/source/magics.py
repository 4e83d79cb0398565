"""Notebook lines that are not Python, replaced so that a cell parses, and put back."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from migrator.source.lines import keep_ends

_LINE_MAGIC = re.compile(
    r"^[ \t]*(?:%[A-Za-z]|![^=]|\?{1,2}[A-Za-z_]|[A-Za-z_][\w.]*\?{1,2}[ \t]*$)"
)
_ASSIGNED = re.compile(r"^[ \t]*[A-Za-z_][\w.,\[\]'\" \t]*=[ \t]*(?:%[A-Za-z]|!\S)")
_CELL_MAGIC = re.compile(r"^\s*%%(\w+)")
# cell magics whose body is still Python of this namespace
_PYTHON_CELLS = {
    *("time", "timeit", "capture", "prun", "python", "python3", "pyspark", "spark", "local"),
    *("memit", "mprun", "snakeviz", "px"),
}
_MARK = "# migrate-keeps-line-"


@dataclass(frozen=True, slots=True)
class Neutral:
    """A cell as Python: its text with as many lines, and the lines taken out with their numbers."""

    text: str
    kept: tuple[tuple[int, str], ...] = ()

    def restore(self, text: str) -> str | None:
        """Puts the kept lines back into an edited text, None if one of them got lost."""
        found = 0
        lines = keep_ends(text)
        for index, line in enumerate(lines):
            mark = line.find(_MARK)
            if mark >= 0:
                lines[index] = self.kept[int(line[mark + len(_MARK) :])][1]
                found += 1
        return "".join(lines) if found == len(self.kept) else None


def neutralise(source: str) -> Neutral | None:
    """A cell with its magics replaced by `pass`, or None if the whole cell is another language."""
    lines = keep_ends(source)
    cell = _CELL_MAGIC.match(source)
    if cell is None and (not _suspicious(lines) or _parses(source)):
        return Neutral(source)
    if cell is not None and cell.group(1) not in _PYTHON_CELLS:
        return None
    kept: list[tuple[int, str]] = []
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    for index, line in enumerate(lines):
        magic = _LINE_MAGIC.match(line.rstrip("\r\n")) or _ASSIGNED.match(line)
        if magic or (cell is not None and index == first):
            body = line.rstrip("\r\n")
            indent = body[: len(body) - len(body.lstrip())]
            lines[index] = f"{indent}pass  {_MARK}{len(kept)}{line[len(body) :]}"
            kept.append((index + 1, line))
    return Neutral("".join(lines), tuple(kept))


def _suspicious(lines: list[str]) -> bool:
    return any(_LINE_MAGIC.match(line.rstrip("\r\n")) or _ASSIGNED.match(line) for line in lines)


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
