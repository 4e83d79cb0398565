"""Notebook lines that are not Python, replaced so that a cell parses, and put back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrator.source.lines import keep_ends, split_lines
from migrator.source.python import parses

_LINE_MAGIC = re.compile(
    r"^[ \t]*(?:%[A-Za-z]|![^=]|\?{1,2}[A-Za-z_]|[A-Za-z_][\w.]*\?{1,2}[ \t]*$)"
)
_ASSIGNED = re.compile(r"^[ \t]*[A-Za-z_][\w.,\[\]'\" \t]*=[ \t]*(?:%[A-Za-z]|!\S)")
# IPython runs these without a `%`, in a cell of one line
_AUTOMATIC = re.compile(
    r"^[ \t]*(?:pip|conda|mamba|uv|cd|ls|ll|cat|cp|mv|rm|mkdir|rmdir|man|less|more|env|set_env|run|"
    r"load|load_ext|reload_ext|autoreload|config|matplotlib|pylab|time|timeit|who|whos|reset|xmode|"
    r"pushd|popd|sx|system|history|hist|store)[ \t]+[^\s=(,]"
)
_CELL_MAGIC = re.compile(r"^\s*%%(\w+)")
# cell magics whose body is still Python of this namespace
_PYTHON_CELLS = {
    *("time", "timeit", "capture", "prun", "python", "python3", "pyspark", "spark", "local"),
    *("memit", "mprun", "snakeviz", "px"),
}
_MARK = "# migrate-keeps-line-"
# magics that run the statement behind them
_TIMED = re.compile(
    r"(?P<indent>[ \t]*)(?P<magic>%?(?:time|timeit|prun|memit)[ \t]+)(?P<rest>\S.*)"
)
_TIMED_MARK = "# migrate-keeps-magic-"
_RUN = re.compile(
    r"[ \t]*%?run[ \t]+(?:-\w[ \t]+)*"
    r"(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|(?P<plain>[^\s\"'-][^\s\"']*))"
)
_DATABRICKS = re.compile(r"# MAGIC(?=[ \t]+%run\b)")


@dataclass(frozen=True, slots=True)
class ForeignPart:
    """Lines of a program that are not Python: their first line, what they are, and their text.

    Parameters
    ----------
    style : str
        What a comment in them is, see `migrator.languages.text.without_comment`.
    language : str
        The language of a program; "file" for a Python file that a cell writes, "" for other text.
    width : int
        How many columns at the start of each line are none of it.
    """

    cell: int | None
    line: int
    text: str
    style: str = "shell"
    language: str = ""
    width: int = 0


@dataclass(frozen=True, slots=True)
class NeutralCell:
    """A cell as Python: its text with as many lines, and what was taken out of it.

    Parameters
    ----------
    kept : tuple of (int, str)
        Lines with their numbers.
    timed : tuple of str
        Magics in front of statements that stayed.
    """

    text: str
    kept: tuple[tuple[int, str], ...] = ()
    timed: tuple[str, ...] = ()

    def restore(self, text: str) -> str | None:
        """Put the kept lines back into an edited text; return None if one of them got lost."""
        offset = 0
        lines = keep_ends(text)
        for index, line in enumerate(lines):
            mark = line.find(_MARK)
            if mark >= 0:
                lines[index] = self.kept[int(line[mark + len(_MARK) :])][1]
                offset += 1
                continue
            mark = line.find(_TIMED_MARK)
            if mark >= 0:
                restored = self._timed_line(line, mark)
                if restored is None:
                    return None
                lines[index] = restored
                offset += 1
        return "".join(lines) if offset == len(self.kept) + len(self.timed) else None

    def _timed_line(self, line: str, mark: int) -> str | None:
        """Return a statement with its magic again, None if it no longer stands where it stood."""
        end = line.rstrip("\r\n")
        magic = self.timed[int(end[mark + len(_TIMED_MARK) :])]
        code = end[:mark].removesuffix("  ")
        indent = code[: len(code) - len(code.lstrip())]
        filler = _filler(magic)
        if not code[len(indent) :].startswith(filler):
            return None
        return indent + magic + code[len(indent) + len(filler) :] + line[len(end) :]


def cell_magic(source: str) -> tuple[str, str] | None:
    """Return the name of the magic that a whole cell is for, and what follows it in its line."""
    match = _CELL_MAGIC.match(source)
    if match is None:
        return None
    rest = source[match.end() :].splitlines()
    return match.group(1), rest[0] if rest else ""


def neutralise(source: str) -> NeutralCell | None:
    """Return a cell with `pass` for its magics, None if the whole cell is another language."""
    lines = keep_ends(source)
    cell = _CELL_MAGIC.match(source)
    if cell is None and (not _suspicious(lines) or parses(source)):
        return NeutralCell(source)
    if cell is not None and cell.group(1) not in _PYTHON_CELLS:
        return None
    replacements: list[tuple[int, str]] = []
    timed: list[str] = []
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    automatic = _is_automatic(lines)
    for index, line in enumerate(lines):
        body = line.rstrip("\r\n")
        magic = _LINE_MAGIC.match(body) or _ASSIGNED.match(line) or automatic
        statement = _TIMED.fullmatch(body) if magic else None
        if statement is not None and parses(f"pass; {statement['rest']}"):
            code = f"{statement['indent']}{_filler(statement['magic'])}{statement['rest']}"
            lines[index] = f"{code}  {_TIMED_MARK}{len(timed)}{line[len(body) :]}"
            timed.append(statement["magic"])
        elif magic or (cell is not None and index == first):
            indent = body[: len(body) - len(body.lstrip())]
            lines[index] = f"{indent}pass  {_MARK}{len(replacements)}{line[len(body) :]}"
            replacements.append((index + 1, line))
    return NeutralCell("".join(lines), tuple(replacements), tuple(timed))


def _filler(magic: str) -> str:
    """Return a statement that does nothing, as long as a magic: what follows keeps its column."""
    return "pass;".ljust(len(magic))


def _suspicious(lines: list[str]) -> bool:
    return _is_automatic(lines) or any(
        _LINE_MAGIC.match(line.rstrip("\r\n")) or _ASSIGNED.match(line) for line in lines
    )


def _is_automatic(lines: list[str]) -> bool:
    return len(lines) == 1 and _AUTOMATIC.match(lines[0]) is not None


class RunMagic(ast.Pass):
    """A statement for inference that stands where a notebook runs another one."""

    def __init__(self, line: int, target: str) -> None:
        super().__init__(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
        self.target = target


def run_target(line: str) -> str | None:
    """Return what a line of a notebook that is a magic runs, or None."""
    match = _RUN.match(line)
    if match is None:
        return None
    return match["double"] or match["single"] or match["plain"]


def databricks_runs(text: str) -> Iterator[RunMagic]:
    """Yield the same for the cells in comments of a source notebook of Databricks."""
    for number, line in enumerate(split_lines(text), 1):
        mark = _DATABRICKS.match(line)
        target = None if mark is None else run_target(line[mark.end() :])
        if target is not None:
            yield RunMagic(number, target)


def with_runs(body: list[ast.stmt], runs: Iterable[RunMagic]) -> list[ast.stmt]:
    """Return the statements of a notebook with what it runs at its place."""
    # a magic stands in the text as `pass`, which may be anywhere in its line
    return sorted([*runs, *body], key=lambda s: s.lineno)


# Databricks source notebooks: files of one language whose other cells stand in comments.
#
# The `%python` cells of a Python notebook are read like the rest.

_FIRST = re.compile(r"\ufeff?(?P<mark>#|//|--) Databricks notebook source[ \t]*(?:[\r\n]|\Z)")
_LANGUAGE = re.compile(r"\s*%(\w+)[ \t]*")
# cells whose text runs or configures something, with the style of their comments; others are prose
_STYLES = {
    **dict.fromkeys(("sh", "pip", "conda", "fs", "run", "python", "r", "configure"), "shell"),
    "scala": "slashes",
    "sql": "sql",
}
_MAGIC = "# MAGIC "
_CELL = re.compile(r"# MAGIC[ \t]+%python[ \t]*\s*$")
# what divides a notebook into its cells
_EDGE = re.compile(r"\ufeff?# (?:Databricks notebook source|COMMAND ----------)[ \t]*\s*$")


def notebook_mark(text: str) -> str | None:
    """Return how comments begin in a source that is a notebook of Databricks, else None."""
    match = _FIRST.match(text)
    return None if match is None else match["mark"]


def commented_cells(text: str, mark: str) -> Iterator[ForeignPart]:
    """Yield the cells in comments that run or configure something."""
    magic = re.compile(rf"{re.escape(mark)} MAGIC ?")
    part: list[str] = []
    start = 0
    for number, line in enumerate([*split_lines(text), ""], 1):
        match = magic.match(line)
        if match is None:
            if part:
                yield from _magic_cell(start, part, len(mark) + 7)
                part = []
            continue
        start = start if part else number
        part.append(" " * match.end() + line[match.end() :])


def _magic_cell(start: int, lines: list[str], width: int) -> Iterator[ForeignPart]:
    magic = _LANGUAGE.match(lines[0])
    style = None if magic is None else _STYLES.get(magic.group(1))
    if magic is not None and style is not None:
        language = magic[1] if magic[1] in ("python", "scala") else ""
        # spaces stand for the comment's mark, so that columns are those of the file
        yield ForeignPart(None, start, "\n".join(lines), style, language, width)


@dataclass(frozen=True, slots=True)
class PythonCells:
    """The text with these cells as code, which has as many lines; shifted: the lines of that code.

    Empty lines of a cell stay comments, so that the notebook's cells keep their ends.
    """

    text: str
    shifted: frozenset[int]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file of one in the text; lines count from 1, columns from 0."""
        return line, column + len(_MAGIC) if line in self.shifted else column

    def restore(self, edited: str) -> str:
        """Return the text of the file, after edits of this one."""
        lines = keep_ends(edited)
        start = None
        for index, line in enumerate([*lines, "# COMMAND ----------"]):
            if _CELL.match(line):
                start = index
            elif start is not None and _EDGE.match(line):
                _comment(lines, start, index)
                start = None
        return "".join(lines)


def python_cells(text: str) -> PythonCells | None:
    """Return a notebook with its `%python` cells as code, None if none or unusual."""
    lines = keep_ends(text)
    shifted = set()
    inside = False
    for index, line in enumerate(lines):
        if _CELL.match(line):
            inside = True
        elif inside and line.startswith("# MAGIC"):
            code = line[len(_MAGIC) :]
            if code.strip():
                lines[index] = code
                shifted.add(index + 1)
        else:
            inside = False
    if not shifted:
        return None
    cells = PythonCells("".join(lines), frozenset(shifted))
    return cells if cells.restore(cells.text) == text else None


def _comment(lines: list[str], start: int, end: int) -> None:
    """Put the marks back into a cell; empty lines behind it do not belong to it."""
    while end > start and not lines[end - 1].strip():
        end -= 1
    for index in range(start, end):
        if not lines[index].startswith("# MAGIC"):
            lines[index] = _MAGIC + lines[index]
