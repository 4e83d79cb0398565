"""Settings and connector packages in any text: shell, conf, YAML, strings of programs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.events import Artifact, Event, Mention, Setting
from migrator.harvest.packages import scala_packages_in
from migrator.job_events import ScalaPackage
from migrator.model import Spot
from migrator.source.lines import split_lines
from migrator.tables.settings import group_of

SETTING = re.compile(r"(?<![\w.])spark\.streaming\.(?:[A-Za-z]\w*(?:\.[A-Za-z]\w*)*\.?)?")
_VALUE = re.compile(
    r"""["']?(?:\s*[=:]\s*|[ \t]+)["']?(?P<value>[^\s"',;}\\)]+)""",
)
_ARTIFACT = re.compile(
    r"""(?<![\w.])(?:(?:org|com)[\w.]*:)?
    spark-streaming-(?P<name>kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)
    (?:-0-8|-0-10|-asl|-sink)?(?:-assembly)?(?:_2\.\d+)?(?:[:-]\d[\w.]*(?:-[\w.]+)*)?(?:\.jar)?
    (?![\w-])""",
    re.VERBOSE,
)
_MENTION = re.compile(
    r"\b(?:(?P<owner>KafkaUtils|FlumeUtils|MQTTUtils|KinesisUtils)\.(?P<method>create\w+)"
    r"|(?P<private>_jssc|_jdstream))\b"
)


def settings_in(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Each setting in a text: its offset, its key, and its value if one follows."""
    for match in SETTING.finditer(text):
        value = _VALUE.match(text, match.end())
        yield match.start(), match.group(), value.group("value") if value else None


def artifacts_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Each connector package in a text: its offset, its coordinates, the connector's name."""
    found: dict[tuple[int, str], tuple[int, str, str]] = {}
    for match in _ARTIFACT.finditer(text):
        # a URL names its package several times: once a line is enough
        key = (text.count("\n", 0, match.start()), match.group("name"))
        if key not in found or len(match.group()) > len(found[key][1]):
            found[key] = (match.start(), match.group(), match.group("name"))
    yield from found.values()


def line_events(line: str, number: int, cell: int | None = None) -> Iterator[Event]:
    """The events of one line of a file that is not Python."""
    for offset, key, value in settings_in(line):
        yield Setting(Spot(number, offset + 1, cell), key, value, group_of(key))
    for offset, text, connector in artifacts_in(line):
        yield Artifact(Spot(number, offset + 1, cell), text, connector)
    for offset, text, scala in scala_packages_in(line):
        yield ScalaPackage(Spot(number, offset + 1, cell), text, scala)


def mentions(line: str, number: int, cell: int | None = None) -> Iterator[Event]:
    """Telling names in a line of a Python file that does not parse."""
    for match in _MENTION.finditer(line):
        name = match.group("private") or f"{match.group('owner')}.{match.group('method')}"
        yield Mention(Spot(number, match.start() + 1, cell), name)


def uncommented(line: str, style: str) -> str:
    """A line without its comment; offsets of what stays do not change.

    style: "shell" (also YAML, Dockerfile: `#` after a space, outside quotes), "conf" (a line that
    starts with `#`, `!` or `;`), "none".
    """
    if style == "none":
        return line
    if line.lstrip()[:1] in ("#", "!", ";") and (style == "conf" or line.lstrip()[:1] == "#"):
        return ""
    if style != "shell" or "#" not in line:
        return line
    quote = ""
    for index, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#" and (index == 0 or line[index - 1].isspace()):
            return line[:index]
    return line


def text_events(text: str, style: str) -> Iterator[Event]:
    """All events of a file that is not Python."""
    for number, line in enumerate(split_lines(text), 1):
        yield from line_events(uncommented(line, style), number)
