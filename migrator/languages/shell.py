"""Shell, YAML and Dockerfiles as logical lines: without comments, joined, with variables filled in.

Nothing is executed: a variable has a value only where the file itself gives it one constant text.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# a text that variables would make longer than that is left as it is written
_LONGEST = 4096
# lines wider than that are data: they are neither joined nor filled in
_WIDEST = 20_000

_ASSIGNMENT = re.compile(
    r"(?:^|(?<=[\s;&|]))(?:(?:export|local|readonly|declare(?:\s+-\w+)*|ENV|ARG|env)\s+)?"
    r"(?P<name>[A-Za-z_]\w*)(?:=|\s*[:?+]?=\s*(?=[\w\"']))"
    r"(?P<value>\"[^\"`]*\"|'[^']*'|[^\s\"'`;&|]*)"
)
_DOCKER = re.compile(r"^\s*ENV\s+(?P<name>[A-Za-z_]\w*)\s+(?P<value>[^=]+?)\s*$")
_REFERENCE = re.compile(
    r"\$(?:(?P<plain>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)(?::?-(?P<default>[^${}]*))?\}"
    r"|\((?P<make>[A-Za-z_]\w*)\))"
)


@dataclass(slots=True)
class LogicalLine:
    """A line as a shell sees it.

    Parameters
    ----------
    text : str
        The line with continuations joined and variables filled in.
    starts : list of int
        Offsets in the text where a piece of the source begins.
    places : list of (int, int)
        Line and column (from 1) of each.
    filled : list of (int, int)
        The ranges that came from variables.
    """

    text: str = ""
    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    filled: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, line: int, column: int, filled: bool = False) -> None:
        """Append a piece of the source, or what takes the place of a variable there."""
        self.starts.append(len(self.text))
        self.places.append((line, column))
        if filled:
            self.filled.append((len(self.text), len(self.text) + len(text)))
        self.text += text

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column in the source of an offset in the text."""
        index = bisect.bisect_right(self.starts, offset) - 1
        line, column = self.places[index]
        inside = any(start <= offset < end for start, end in self.filled)
        return line, column if inside else column + offset - self.starts[index]

    def is_filled(self, start: int, end: int) -> bool:
        """Return whether a part of the text is of one variable, which is reported itself."""
        return any(first <= start and end <= last for first, last in self.filled)


def logical_lines(lines: list[str]) -> Iterator[LogicalLine]:
    """Yield the logical lines of a file.

    Parameters
    ----------
    lines : list of str
        Its lines without comments and ends.
    """
    values = variables(lines)
    current = LogicalLine()
    for number, line in enumerate(lines, 1):
        continued = _is_continued(line)
        _fill(current, line[:-1] if continued else line, number, values)
        if not continued or len(current.text) > _WIDEST:
            yield current
            current = LogicalLine()
    if current.text:
        yield current


def variables(lines: list[str]) -> dict[str, str]:
    """Return the variables that a file gives one constant value."""
    texts: dict[str, set[str]] = {}
    for line in lines:
        if len(line) > _WIDEST or ("=" not in line and "ENV" not in line):
            continue
        for match in (*_ASSIGNMENT.finditer(line), *_DOCKER.finditer(line)):
            value = match.group("value")
            quoted = value[:1] in ("'", '"')
            # what a command prints is not known
            if "$(" in value or "`" in value or line[match.end() : match.end() + 1] == "`":
                value, quoted = "$", False
            texts.setdefault(match.group("name"), set()).add(value[1:-1] if quoted else value)
    single = {name: next(iter(values)) for name, values in texts.items() if len(values) == 1}
    # as many rounds as variables may refer to one another in a chain
    for _ in range(4):
        single = {name: _fill_variables(value, name, single) for name, value in single.items()}
    return {name: value for name, value in single.items() if "$" not in value}


def _fill_variables(value: str, name: str, values: dict[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        own = _name(match)
        return match.group() if own == name else values.get(own, match.group("default") or "$")

    text = _REFERENCE.sub(fill, value)
    return text if len(text) <= _LONGEST else "$"


def _name(match: re.Match[str]) -> str:
    return match.group("plain") or match.group("braced") or match.group("make")


def _is_continued(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _fill(target: LogicalLine, line: str, number: int, values: dict[str, str]) -> None:
    end = 0
    if "$" in line and len(line) <= _WIDEST:
        for match in _REFERENCE.finditer(line):
            value = values.get(_name(match), match.group("default"))
            if value is None or _single_quoted(line, match.start()):
                continue
            if len(target.text) + len(value) > _LONGEST:
                break
            target.add(line[end : match.start()], number, end + 1)
            target.add(value, number, match.start() + 1, filled=True)
            end = match.end()
    target.add(line[end:], number, end + 1)


def _single_quoted(line: str, offset: int) -> bool:
    quote = ""
    for char in line[:offset]:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
    return quote == "'"
