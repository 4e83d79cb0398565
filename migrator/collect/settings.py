"""Settings of Spark Streaming in any text.

A name under `spark.streaming.` may be a topic, a metric or a file as well. Only what stands like a
key counts as one, unless it is one of Spark's keys or hardly differs from one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.spark.settings import is_near, misspelt_prefixes

_SETTING = re.compile(
    r"(?:(?<![\w.])|(?<=-D))spark\.streaming\.(?:[A-Za-z]\w*(?:\.[A-Za-z]\w*)*\.?)?"
)
_VALUE = re.compile(r"""["']?(?:\s*[=:]\s*|[ \t]+)["']?(?P<value>[^\s"',;}\\)]+)""")
_ASSIGNED = re.compile(r"[^\s=:\"'{]*(?:\$?\{[^}\s]*\}[^\s=:\"'{]*)*[\"'\]]?\s*(?:=(?!=)|:)")
_OPTION = re.compile(
    r"""(?:-D|(?:--conf|--spark[_-]conf)[\s=,"'\[\\]{0,40}
    |(?<!\S)-c\s+["']?|--properties[\s=]["']?(?:\S*[,;|^:])?)$""",
    re.VERBOSE,
)
_LINE_START = re.compile(r"\s*(?:(?:-|export|set)\s+)*[\"'\[]?$", re.IGNORECASE)
_VALUE_BEHIND = re.compile(r"\S*[ \t]+\S+\s*$")
_IN_BRACES = re.compile(r"[{,]\s*[\"']?$")
_IN_XML = re.compile(r"<(?:property|entry|conf\w*)\s[^<>]*(?:name|key)=[\"']$|<name>\s*$")
_XML_VALUE = re.compile(r"\s*</name>\s*<value>|[\"']")
_SETTER = re.compile(
    r"\.(?:set|config|set(?:System|Local)?Property|setIfMissing|setConf)\(\s*[\"']$"
)
_GROUPS = ("unknown", "prefix")
# how far around a name is looked: data may be one long line
_AROUND = 300


def settings_in(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Yield each setting in a text: its offset, its key, and its value if one follows."""
    for match in (*_SETTING.finditer(text), *misspelt_prefixes(text)):
        value = _VALUE.match(text, match.end())
        yield match.start(), match.group(), value.group("value") if value else None


def is_reported(key: str, group: str, stands: bool) -> bool:
    """Return whether a name under `spark.streaming.` is reported.

    Parameters
    ----------
    group : str
        Its group of settings.
    stands : bool
        Whether it stands as a key.
    """
    return stands or group not in _GROUPS or is_near(key)


def stands_as_option(line: str, start: int, end: int) -> bool:
    """Return whether a part of a line is a key of a command: `--conf key=value`, `-Dkey=value`."""
    first = max(start - _AROUND, 0)
    return bool(_OPTION.search(line, first, start) and _ASSIGNED.match(line, end, end + _AROUND))


def stands_as_key(line: str, start: int, end: int) -> bool:
    """Return whether a part of a line of a settings file, a script or a program is a key."""
    first = max(start - _AROUND, 0)
    if _SETTER.search(line, first, start):
        return True
    if _IN_XML.search(line, first, start):
        return _XML_VALUE.match(line, end) is not None
    begins = _LINE_START.fullmatch(line, 0, start) is not None
    if _ASSIGNED.match(line, end, end + _AROUND):
        return begins or bool(
            _OPTION.search(line, first, start) or _IN_BRACES.search(line, first, start)
        )
    return begins and _VALUE_BEHIND.match(line, end) is not None
