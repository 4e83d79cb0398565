"""Reads a list of packages or jars out of the text around one of its items.

Such a list stands behind `--packages` or `--jars` of a command, as value of a setting or of a
variable, or as an argument of a program; commas separate its items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from migrator.model.report import Spot, TextEdit
from migrator.model.requirement_events import Surroundings

# an item may hold variables and templates; behind a comma the line may go on
_LIST = re.compile(
    r"""(?:\$\{[^{}\s]*\}|\$\(\w+\)|\{\{[^{}\n]*\}\}|[^\s"'`\\;|&<>()\[\]{}=,]
    |,(?:(?:[ \t]*\\\r?\n)?[ \t]+(?=[\w$/.]))?)+""",
    re.VERBOSE,
)
_BEFORE = re.compile(r"(?:^|[\s\"'=\[(])\Z")
_AFTER = re.compile(r"\Z|[\s\"'\]);|&<`]|\\\r?\n")
_SEPARATOR = re.compile(r",(?:[ \t]*\\\r?\n)?[ \t]*")
# a literal that is formatted, or joined to another one in the middle of the list
_JOINED_BEFORE = re.compile(r"[^\s\"'=][\"'][\s\\]*[\"']\Z|[+%][\s\\]*[\"']\Z")
_JOINED_AFTER = re.compile(
    r"[^\"'\n]*[\"'][ \t]*(?:%|\.[ \t]*format\b)|[\"'][\s\\]*(?:\+|[\"'](?=[^\s\"']))"
)
# to a variable, as a setting, as an item of YAML, in brackets
_ASSIGNED = re.compile(
    r"(?:(?:^|[\s;])[\w.-]+=|^[ \t]*[\w.-]+[ \t]*[:?+]?=[ \t]*|\[[ \t]*|^[ \t]*-[ \t]+"
    r"|^[ \t]*[\w.-]+:[ \t]+)\Z",
    re.MULTILINE,
)
# how far before a list its option is looked for
_AROUND = 400
# longer lists are data
_LONGEST = 4000
_GIVEN = re.compile(
    r"(?<![\w-])--(?:packages|jars)(?:=|(?:[ \t]|\\\r?\n)+|[\"']\s*,\s*(?=[\"']))[\"']?"
)
_OPTIONS = {
    "command": re.compile(
        r"(?<![\w-])--(?P<kind>packages|jars)(?:=|(?:[ \t]|\\\r?\n)+)(?P<quote>[\"']?)\Z"
    ),
    "setting": re.compile(
        r"(?<![\w-])--conf[ \t=]+(?P<quote>[\"']?)spark\.jars(?P<packages>\.packages)?=\Z"
    ),
    "elements": re.compile(r"([\"'])--(?P<kind>packages|jars)\1\s*,\s*(?P<quote>[\"'])\Z"),
    "lines": re.compile(
        r"^[ \t]*-[ \t]+([\"']?)--(?P<kind>packages|jars)\1[ \t]*\r?\n"
        r"[ \t]*-[ \t]+(?P<quote>[\"']?)\Z",
        re.MULTILINE,
    ),
    "line": re.compile(
        r"^[ \t]*spark\.jars(?P<packages>\.packages)?(?:[ \t]*[=:][ \t]*|[ \t]+)(?P<quote>)\Z",
        re.MULTILINE,
    ),
    "literals": re.compile(r"--(?P<kind>packages|jars)[ =]([\"'])\s*\\?\s*[\"'](?P<quote>)\Z"),
    "value": re.compile(
        r"(?:\bspark\.jars(?P<packages>\.packages)?|\b(?P<kind>packages|jars))[\"']?"
        r"\s*[=:,]\s*(?P<quote>[\"']?)\Z"
    ),
}


@dataclass(frozen=True, slots=True)
class Item:
    """A package or jar of a list, and where it stands in the text around it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class JarList:
    """A list of packages or jars.

    Attributes
    ----------
    form
        How its option is written: "command" (`--packages a,b`), "setting" (`--conf
        spark.jars.packages=a,b`), "elements" (`"--packages", "a,b"`), "lines" (the same as items of
        YAML), "line" (of a file of settings), "literals" (`"--packages " "a,b"`), "value" (of a
        setting or an argument in a program or a data file), "" (none is seen).
    kind
        "packages", "jars" or "" if that is not known.
    option
        Where the option begins.
    end
        Where the list ends, its closing quote included.
    """

    form: str
    kind: str
    option: int
    end: int
    quote: str
    items: tuple[Item, ...] = field(default=())


def list_around(around: Surroundings, offset: int) -> JarList | None:
    """The list that an offset of a text lies in, or None if it is not one that can be read."""
    text = around.text
    first = text.rfind("\n", 0, max(text.rfind("\n", 0, offset), 0)) + 1
    lists = _LIST.finditer(text, max(first, offset - _LONGEST), offset + _LONGEST)
    match = next((m for m in lists if m.end() > offset), None)
    if match is None or match.start() > offset:
        return None
    items = tuple(_items(text, match.start(), match.end()))
    if not all(item.text for item in items):
        return None
    start, end = items[0].start, items[-1].end
    if not _BEFORE.search(text, max(start - 1, 0), start) or not _AFTER.match(text, end):
        return None
    if around.language == "python" and not _is_whole_text(text, start, end):
        return None
    for form, pattern in _OPTIONS.items():
        found = pattern.search(text, max(start - _AROUND, 0), start)
        if found is None or (form == "line" and around.language != "conf"):
            continue
        named = found.groupdict()
        kind = named.get("kind") or ("packages" if named.get("packages") else "jars")
        if found["quote"] and text[end : end + 1] != found["quote"]:
            return None
        return JarList(form, kind, found.start(), end + len(found["quote"]), found["quote"], items)
    return JarList("", "", start, end, "", items) if _is_value(around, start, end) else None


def _is_value(around: Surroundings, start: int, end: int) -> bool:
    """Whether a list without an option is a value of its own, not part of a sentence."""
    before, after = around.text[max(start - _AROUND, 0) : start], around.text[end : end + 1]
    if before[-1:] in ("'", '"'):
        return after == before[-1:] and around.language != "prose"
    return around.language in ("shell", "conf") and _ASSIGNED.search(before) is not None


def lists_in(around: Surroundings, start: int, end: int) -> list[JarList]:
    """The lists of the options `--packages` and `--jars` in a command, packages first."""
    places = (m.end() for m in _GIVEN.finditer(around.text, start, end))
    found = [list_around(around, place) for place in places if place < len(around.text)]
    lists = [one for one in found if one is not None and one.form in ("command", "elements")]
    return sorted(lists, key=lambda one: one.kind, reverse=True)


def _items(text: str, start: int, end: int) -> list[Item]:
    cuts = [(start, start), *(m.span() for m in _SEPARATOR.finditer(text, start, end)), (end, end)]
    return [Item(a[1], b[0], text[a[1] : b[0]]) for a, b in pairwise(cuts)]


def _is_whole_text(text: str, start: int, end: int) -> bool:
    """Whether neither an operator of a program nor another literal goes on with the list."""
    before, after = text[max(start - _AROUND, 0) : start], text[end : end + _AROUND]
    return _JOINED_BEFORE.search(before) is None and _JOINED_AFTER.match(after) is None


def command_around(around: Surroundings, offset: int) -> tuple[int, int]:
    """The offsets of the line around an offset, with those that backslashes join to it."""
    text = around.text
    start = text.rfind("\n", 0, offset) + 1
    while start and _is_continued(text[: start - 1]):
        start = text.rfind("\n", 0, start - 1) + 1
    end = _line_end(text, offset)
    while end < len(text) and _is_continued(text[:end]):
        end = _line_end(text, end + 1)
    return start, end


def _is_continued(text: str) -> bool:
    body = text[-40:].removesuffix("\r")
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def offset_of(around: Surroundings, at: Spot) -> int | None:
    """The offset of a place in the text, or None if it lies outside."""
    offset = 0
    for _ in range(at.line - around.first):
        offset = around.text.find("\n", offset) + 1
        if not offset:
            return None
    offset += at.column - 1
    return offset if at.line >= around.first and offset <= len(around.text) else None


def edit(around: Surroundings, start: int, end: int, new: str, cell: int | None) -> TextEdit:
    """The edit that puts a text in the place of a part of the surroundings."""
    before = around.text[:start]
    line = around.first + before.count("\n")
    at = Spot(line, start - before.rfind("\n"), cell)
    return TextEdit(at, around.text[start:end], new)
