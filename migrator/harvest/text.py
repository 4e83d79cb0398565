"""Settings and connector packages in any text: shell, conf, YAML, strings of programs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.events import Artifact, Event, Mention, Setting
from migrator.harvest.connectors import artifacts_in
from migrator.harvest.keys import is_told, stands_as_key
from migrator.harvest.nested import nested_settings, section_name
from migrator.harvest.packages import scala_packages_in
from migrator.harvest.versions import requirement_events
from migrator.job_events import ScalaPackage
from migrator.model import Spot
from migrator.source.lines import split_lines
from migrator.source.prose import commands
from migrator.source.shell import LogicalLine, logical_lines
from migrator.tables.misspelt import misspelt_prefixes
from migrator.tables.settings import group_of

SETTING = re.compile(
    r"(?:(?<![\w.])|(?<=-D))spark\.streaming\.(?:[A-Za-z]\w*(?:\.[A-Za-z]\w*)*\.?)?"
)
_VALUE = re.compile(
    r"""["']?(?:\s*[=:]\s*|[ \t]+)["']?(?P<value>[^\s"',;}\\)]+)""",
)
_MENTION = re.compile(
    r"\b(?:(?P<owner>KafkaUtils|FlumeUtils|MQTTUtils|KinesisUtils)\.(?P<method>create\w+)"
    r"|(?P<private>_jssc|_jdstream))\b"
)

_COMMENTS = {"slashes": "//", "sql": "--"}


def settings_in(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Each setting in a text: its offset, its key, and its value if one follows."""
    for match in (*SETTING.finditer(text), *misspelt_prefixes(text)):
        value = _VALUE.match(text, match.end())
        yield match.start(), match.group(), value.group("value") if value else None


def text_events(text: str, style: str, first: int = 1, cell: int | None = None) -> Iterator[Event]:
    """All events of a text that is not Python.

    Parameters: text; style, what a comment is (see `uncommented`), "prose" for a README of which
    only commands count; first, the number of its first line; cell, the notebook's cell.
    """
    lines = [uncommented(line, style) for line in split_lines(text)]
    if style == "prose":
        lines = commands(lines)
    for key in nested_settings(lines):
        at = Spot(key.line + first - 1, key.column, cell)
        yield Setting(at, key.name, key.value, group_of(key.name))
    section = ""
    for logical in logical_lines(lines) if style in ("shell", "prose") else _single(lines):
        name = section_name(logical.text)
        if name is not None:
            section = name
            continue
        yield from requirement_events(logical, first - 1, cell, section)
        yield from _logical_events(logical, first - 1, cell)


def _single(lines: list[str]) -> Iterator[LogicalLine]:
    for number, line in enumerate(lines, 1):
        yield _logical(line, number)


def _logical(line: str, number: int) -> LogicalLine:
    """A line that is neither joined nor filled in."""
    whole = LogicalLine()
    whole.add(line, number, 1)
    return whole


def line_events(line: str, number: int, cell: int | None = None) -> Iterator[Event]:
    """The events of one line of a file that is not Python."""
    yield from _logical_events(_logical(line, number), 0, cell)


def _logical_events(line: LogicalLine, before: int, cell: int | None) -> Iterator[Event]:
    """The events of a line; what stands in a variable is told where that is set."""

    def spot(offset: int) -> Spot:
        number, column = line.place(offset)
        return Spot(number + before, column, cell)

    for offset, key, value in settings_in(line.text):
        end = offset + len(key)
        stands = stands_as_key(line.text, offset, end)
        if not line.is_filled(offset, end) and is_told(key, group_of(key), stands):
            yield Setting(spot(offset), key, value, group_of(key))
    for offset, text, connector in artifacts_in(line.text):
        if not line.is_filled(offset, offset + len(text)):
            yield Artifact(spot(offset), text, connector)
    for offset, text, scala in scala_packages_in(line.text):
        if not line.is_filled(offset, offset + len(text)):
            yield ScalaPackage(spot(offset), text, scala)


def mentions(line: str, number: int, cell: int | None = None) -> Iterator[Event]:
    """Telling names in a line of a Python file that does not parse."""
    for match in _MENTION.finditer(line):
        name = match.group("private") or f"{match.group('owner')}.{match.group('method')}"
        yield Mention(Spot(number, match.start() + 1, cell), name)


def uncommented(line: str, style: str) -> str:
    """A line without its comment; offsets of what stays do not change.

    style: "shell" (also YAML, Dockerfile: `#` after a space, outside quotes), "prose" (the same),
    "slashes" (the same with `//`; "sql" with `--`), "conf" (a line that starts with `#`, `!` or
    `;`), "none".
    """
    mark = _COMMENTS.get(style, "#")
    if style == "none":
        return line
    if line.lstrip().startswith(mark) or (style == "conf" and line.lstrip()[:1] in ("!", ";")):
        return ""
    if style == "conf" or mark not in line:
        return line
    quote = ""
    for index, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif line.startswith(mark, index) and (index == 0 or line[index - 1].isspace()):
            return line[:index]
    return line
