"""Settings whose keys are spread over levels: nested YAML and JSON, HOCON, sections of TOML.

This reads keys by indentation and braces, in whatever language they are. It may misread a file that
is none of these, so only keys that Spark has count.

Decision 0034: Nested settings count only if Spark has the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.spark.settings import PREFIX, SETTINGS

_HINTS = (
    re.compile(r"streaming[\w.-]*[\"']?[ \t]*[:={]"),
    re.compile(r"\[[^\]\n]*streaming"),
)
_HINTS_BYTES = tuple(re.compile(hint.pattern.encode()) for hint in _HINTS)
_KEY = re.compile(
    r"(?:-[ \t]+)*(?P<key>\"[^\"]*\"|'[^']*'|[A-Za-z_][\w.$-]*)[ \t]*(?:[:=]|(?=\{))[ \t]*"
)
_SCALAR = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,{}\[\]\"']+")
_SECTION = re.compile(r"[ \t]*\[+[ \t]*(?P<name>[\w.\"' -]+?)[ \t]*\]+[ \t]*$")
_BLANKS = re.compile(r"[ \t,\[\]]+")
_KNOWN = frozenset(key.lower() for key in SETTINGS)
# a line wider than that is data
_WIDEST = 20_000


@dataclass(frozen=True, slots=True)
class NestedKey:
    """A key of Spark's: where its last part stands (from 1), its whole name, its value if any."""

    line: int
    column: int
    name: str
    value: str | None


def may_nest(data: bytes) -> bool:
    """Return whether the bytes of a file may hold keys of `spark.streaming.` on several levels."""
    words = b"spark" in data and b"streaming" in data
    return words and any(hint.search(data) for hint in _HINTS_BYTES)


def section_name(line: str) -> str | None:
    """Return the name that the head of a section gives to keys; None for any other line."""
    head = _SECTION.match(line)
    return None if head is None else head["name"].replace('"', "").replace("'", "")


def nested_settings(lines: list[str]) -> Iterator[NestedKey]:
    """Yield the keys of a file that are spread over levels.

    Parameters
    ----------
    lines : list of str
        Without comments.
    """
    if any("streaming" in line and any(h.search(line) for h in _HINTS) for line in lines):
        yield from _Levels().keys(lines)


@dataclass(slots=True)
class _Levels:
    """The keys around a place in a file.

    Parameters
    ----------
    section : str
        The name of the section.
    stack : list of (int, str)
        Keys with their columns.
    braces : list of int
        How many of them were open before each brace.
    """

    section: str = ""
    stack: list[tuple[int, str]] = field(default_factory=list)
    braces: list[int] = field(default_factory=list)

    def keys(self, lines: list[str]) -> Iterator[NestedKey]:
        for number, line in enumerate(lines, 1):
            name = None if self.braces else section_name(line)
            if name is not None:
                self.section = f"{name}."
                self.stack.clear()
            elif line.strip() and len(line) <= _WIDEST:
                yield from self._line(line, number)

    def _line(self, line: str, number: int) -> Iterator[NestedKey]:
        start = position = len(line) - len(line.lstrip())
        while position < len(line):
            blanks = _BLANKS.match(line, position)
            if blanks is not None:
                position = blanks.end()
                continue
            key = _KEY.match(line, position) if self.braces or position == start else None
            if key is not None:
                position = key.end()
                self._enter(key.start("key"), key["key"].strip("\"'"))
                value = _SCALAR.match(line, position)
                nested_key = self._nested_key(number, key.start("key"), value)
                if nested_key is not None:
                    yield nested_key
                position = position if value is None else value.end()
            else:
                position = self._other(line, position)

    def _enter(self, column: int, key: str) -> None:
        if self.braces:
            del self.stack[self.braces[-1] :]
        while not self.braces and self.stack and self.stack[-1][0] >= column:
            self.stack.pop()
        self.stack.append((column, key))

    def _other(self, line: str, position: int) -> int:
        """Skip what is not a key; return the position after it."""
        if line[position] == "{":
            self.braces.append(len(self.stack))
        elif line[position] == "}" and self.braces:
            del self.stack[self.braces.pop() :]
        else:
            scalar = _SCALAR.match(line, position)
            return position + 1 if scalar is None else scalar.end()
        return position + 1

    def _nested_key(self, line: int, column: int, value: re.Match[str] | None) -> NestedKey | None:
        keys = [key for _, key in self.stack]
        path = self.section + ".".join(keys)
        start = f".{path}".find(f".{PREFIX}")
        # a key that stands in one piece is found as text
        if start < 0 or PREFIX in keys[-1] or path[start:].lower() not in _KNOWN:
            return None
        text = None if value is None else value.group().strip("\"'")
        return NestedKey(line, column + 1, path[start:], text)
