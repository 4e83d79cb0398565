"""Images whose name and tag stand apart.

`repository: X` and `tag: Y` of Helm, `name: X` and `newTag: Y` of Kustomize.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# keys that hold the parts of an image, by what they are
_NAMES = ("repository", "imageRepository", "newName", "name")
_TAGS = {"repository": "tag", "imageRepository": "imageTag", "newName": "newTag", "name": "newTag"}
_HINT = re.compile(r"[tT]ag[\"']?:")
_KEY = re.compile(
    r"[ \t]*(?P<item>-[ \t]+|\{[ \t]*)?"
    r"(?P<quote>[\"']?)(?P<key>[\w.-]+)(?P=quote)[ \t]*:(?=[ \t{]|$)"
)
_VALUE = re.compile(r"[ \t]*(?P<quote>[\"']?)(?P<value>[\w./:-]+)(?P=quote)[ \t]*,?[ \t]*$")
_FLOW = re.compile(r"(?<![\w-])[\w-]*[iI]mage[\"']?:[ \t]*\{(?P<body>[^{}]*)\}")
_FLOW_PART = re.compile(
    r"(?<![\w-])(?P<quote>[\"']?)(?P<key>registry|repository|tag)(?P=quote):[ \t]*"
    r"(?P<around>[\"']?)(?P<value>[\w./:-]+)(?P=around)[ \t]*(?=,|\Z)"
)
# how many lines away the tag of an image is looked for, and the key of what it belongs to
_FARTHEST = 40
_ABOVE = 400
# how many keys above those of an image may say that it is one
_LEVELS = 2


@dataclass(frozen=True, slots=True)
class SplitImage:
    """An image, its tag, and where the tag stands: line and column from 0."""

    name: str
    tag: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A key, its value (empty if it has none in its line), and the columns where they begin.

    Any other line, such as a brace, has no key.
    """

    key: str
    value: str
    line: int
    column: int
    value_column: int
    starts_item: bool


def split_images(lines: Sequence[str]) -> Iterator[SplitImage]:
    """Yield the images of a text whose name and tag are values of their own.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any(_HINT.search(line) for line in lines):
        return
    parts = [_part(line, number) for number, line in enumerate(lines) if line.strip()]
    for index, part in enumerate(parts):
        if part.key in _NAMES and part.value:
            found = _image(parts, index)
            if found is not None:
                yield found
    for number, line in enumerate(lines):
        for flow in _FLOW.finditer(line):
            yield from _in_flow(flow, number)


def _part(line: str, number: int) -> _Part:
    key = _KEY.match(line)
    if key is None:
        return _Part("", "", number, len(line) - len(line.lstrip()), 0, False)
    value = _VALUE.match(line, key.end())
    column = key.start("quote")
    text, start = ("", 0) if value is None else (value["value"], value.start("value"))
    return _Part(key["key"], text, number, column, start, key["item"] is not None)


def _image(parts: Sequence[_Part], index: int) -> SplitImage | None:
    part = parts[index]
    beside = {one.key: one for one in _siblings(parts, index)}
    tag = beside.get(_TAGS[part.key])
    if part.key == "name" and tag is None:
        tag = beside.get("tag")
    # only a label
    replaced = part.key == "name" and ("newName" in beside or "repository" in beside)
    if tag is None or not tag.value or replaced or not _is_image(parts, index):
        return None
    registry = beside.get("registry")
    name = f"{registry.value}/{part.value}" if registry is not None else part.value
    return SplitImage(name, tag.value, tag.line, tag.value_column)


def _siblings(parts: Sequence[_Part], index: int) -> Iterator[_Part]:
    """Yield the keys of the same mapping."""
    column = parts[index].column
    first, farthest = index, max(index - _FARTHEST, 0)
    while first > farthest and parts[first].column >= column and not _starts(parts[first], column):
        first -= 1
    for number, one in enumerate(parts[first : index + _FARTHEST], first):
        if number > index and (one.column < column or _starts(one, column)):
            return
        if one.column == column:
            yield one


def _starts(part: _Part, column: int) -> bool:
    return part.starts_item and part.column == column


def _is_image(parts: Sequence[_Part], index: int) -> bool:
    """Return whether the keys around a name say that it is that of an image."""
    if parts[index].key == "imageRepository":
        return True
    column = parts[index].column
    levels = 0
    for above in reversed(parts[max(index - _ABOVE, 0) : index]):
        if above.column < column and not above.value:
            column = above.column
            if not above.key:
                continue
            if "image" in above.key.lower():
                return True
            levels += 1
        if levels == _LEVELS:
            break
    return False


def _in_flow(flow: re.Match[str], number: int) -> Iterator[SplitImage]:
    parts = {m["key"]: m for m in _FLOW_PART.finditer(flow.string, *flow.span("body"))}
    if "repository" in parts and "tag" in parts:
        name = parts["repository"]["value"]
        if "registry" in parts:
            name = f"{parts['registry']['value']}/{name}"
        tag = parts["tag"]
        yield SplitImage(name, tag["value"], number, tag.start("value"))
