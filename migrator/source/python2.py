"""Converts Python 2 to the same Python 3, and maps places and edits back to the old text.

fissix changes what Python 3 cannot parse and nothing else: names of modules and methods stay. The
result is only analysed; edits are carried back to the lines of the old text. What a file is
converted to is the work of `migrator.python2`.
"""

from __future__ import annotations

import bisect
import io
import logging
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from migrator.source.line_changes import changes
from migrator.source.lines import keep_ends, split_lines
from migrator.source.problems import RewriteProblem

# those of fissix whose result is right, and ours, whose modules say what is wrong with the others
_FISSIX = ("exec", "ne", "numliterals", "paren", "raise", "repr")
_OURS = ("except", "print", "strings", "tuple_params")
FIXERS = (
    *(f"fissix.fixes.fix_{name}" for name in _FISSIX),
    *(f"migrator.source.fixers.fix_{name}" for name in _OURS),
)
_TAB = 8
# fissix takes seconds for more
_LONGEST = 300_000


class ConvertProblem(Exception):
    """Text that is no Python 2 either."""


def can_convert() -> bool:
    """Return whether the optional part that reads Python 2 is installed."""
    return find_spec("fissix") is not None


@dataclass(frozen=True, slots=True)
class ConvertedOrigin:
    """Where the tokens of a converted text came from.

    Parameters
    ----------
    original : str
        The old text.
    starts : tuple of (int, int)
        Line and column of each token that the old text had too, as the new text has them.
    places : tuple of (int, int)
        The same tokens in the old text.
    tabs : dict of int to (int, int)
        What a line's indentation grew by, by its number in the old text.
    """

    original: str
    converted: str
    starts: tuple[tuple[int, int], ...]
    places: tuple[tuple[int, int], ...]
    tabs: dict[int, tuple[int, int]]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the old text of one in the new
        text; lines count from 1, columns from 0.
        """
        index = bisect.bisect_right(self.starts, (line, column)) - 1
        if index < 0 or self.starts[index][0] < line:
            following = index + 1
            if following < len(self.starts) and self.starts[following][0] == line:
                # a token that the conversion put in front of the first old one
                old_line, old_column = self.places[following]
                return self._tabbed(old_line, min(column, old_column))
        if index < 0:
            return line, column
        (new_line, new_column), (old_line, old_column) = self.starts[index], self.places[index]
        if line > new_line:
            return self._tabbed(old_line + line - new_line, column)
        return self._tabbed(old_line, old_column + column - new_column)

    def _tabbed(self, line: int, column: int) -> tuple[int, int]:
        width, length = self.tabs.get(line, (0, 0))
        return line, column - width + length if column >= width else column

    def restore(self, edited: str) -> str:
        """Return the old text with the edits that were done to the new one.

        Raises
        ------
        RewriteProblem
            If an edit touches a line that the conversion changed.
        """
        old, new = split_lines(self.original), split_lines(self.converted)
        after = split_lines(edited)
        ends = [line[len(line.rstrip("\r\n")) :] for line in keep_ends(self.original)]
        default = next((end for end in ends if end), "\n")
        result = [*keep_ends(self.original), ""][: len(old)]
        for i1, i2, j1, j2 in reversed(changes(new, after)):
            touched = range(i1, i2) if i1 < i2 else range(i1 - 1, i1)
            lines = [self._same(index, old, new) for index in touched]
            if None in lines or lines != list(range(lines[0] or 0, (lines[0] or 0) + len(lines))):
                raise RewriteProblem("an edit touches a line that only Python 2 understands")
            first, last = lines[0] or 0, lines[-1] or 0
            end = ends[last] if last < len(ends) and ends[last] else default
            added = [line + end for line in after[j1:j2]]
            if i1 == i2:
                first = last + 1
            elif last == len(old) - 1 and added:
                added[-1] = added[-1].removesuffix(end)
            result[first : last + 1] = added
        return "".join(result)

    def _same(self, index: int, old: list[str], new: list[str]) -> int | None:
        """Return the line of the old text that a line of the new one is, both from 0."""
        if index < 0:
            return None
        line, _ = self.place(index + 1, 0)
        same = 0 < line <= len(old) and old[line - 1] == new[index]
        return line - 1 if same else None


def convert(text: str) -> ConvertedOrigin:
    """Return a Python 2 source as Python 3.

    Raises
    ------
    ConvertProblem
        If fissix cannot read it.
    """
    if len(text) > _LONGEST:
        raise ConvertProblem("it is too long to be converted")
    lines = split_lines(text)
    spaced = [_spaced(line) for line in lines]
    tabs = {
        number: (_indent(new), _indent(old))
        for number, (old, new) in enumerate(zip(lines, spaced, strict=True), 1)
        if old != new
    }
    source = "\n".join(spaced) + "\n"
    try:
        tree = _tool().refactor_string(source, "source")
    except Exception as error:
        # fissix has no common base of what it raises for broken sources
        raise ConvertProblem(f"{type(error).__name__}: {error}") from None
    if tree is None:
        raise ConvertProblem("fissix could not read it")
    starts, places, converted = _walked(tree)
    return ConvertedOrigin(text, converted.removesuffix("\n"), starts, places, tabs)


def _walked(
    tree: Any,
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], str]:
    """Return the places of all old tokens in the new text and in the old one, and the new text."""
    starts: list[tuple[int, int]] = []
    places: list[tuple[int, int]] = []
    out = io.StringIO()
    line, column = 1, 0
    for leaf in tree.leaves():
        for part in (leaf.prefix, leaf.value):
            if part is leaf.value and part.strip() and leaf.lineno:
                starts.append((line, column))
                places.append((leaf.lineno, leaf.column))
            out.write(part)
            line += part.count("\n")
            column = len(part) - part.rindex("\n") - 1 if "\n" in part else column + len(part)
    return tuple(starts), tuple(places), out.getvalue()


def _spaced(line: str) -> str:
    """Return a line whose indentation has no tabs; Python 2
    took each as a step to a multiple of 8.
    """
    indent = line[: _indent(line)]
    return indent.expandtabs(_TAB) + line[len(indent) :] if "\t" in indent else line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


@cache
def _tool() -> Any:
    # an optional dependency, and only files that Python 3 does not parse pay for it
    from fissix.refactor import RefactoringTool

    # what it could not convert shows when the result is parsed
    logging.getLogger("RefactoringTool").disabled = True
    return RefactoringTool(list(FIXERS), {}, [])
