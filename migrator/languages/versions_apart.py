"""Names and versions that stand apart: of values, of images, and of tasks of pipelines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# what only names that matter here end with
_ENDS = r"(?:JAVA_HOME|SPARK_HOME|PYTHONPATH|PATH|PYSPARK(?:_DRIVER)?_PYTHON|\.python)"
_NAME = rf"[\"']?name[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name%d>[\w.]*{_ENDS})[\"']?"
_VALUE = (
    r"[\"']?value[\"']?[ \t]*[:=][ \t]*(?:\"(?P<double%d>[^\"\n]+)\"|'(?P<single%d>[^'\n]+)'"
    r"|(?P<plain%d>(?:\$\{[^{}\s]*\}|[^\s\"'<>,{}])+))"
)
_BETWEEN = r"[ \t]*,?\s*"
_PAIR = re.compile(
    rf"(?<![\w-])(?:{_NAME % 1}{_BETWEEN}{_VALUE % (1, 1, 1)}"
    rf"|{_VALUE % (2, 2, 2)}{_BETWEEN}{_NAME % 2}"
    rf"|<name>\s*(?P<name3>[\w.]*{_ENDS})\s*</name>\s*<value>\s*(?P<plain3>[^\s<>]+)\s*</value>)",
    re.IGNORECASE,
)
_HINT = re.compile(rf"{_ENDS}(?:[\"'\s<,}}]|\Z)")
_TASK = re.compile(r"[ \t]*(?:-[ \t]+)?task:[ \t]*[\"']?UsePythonVersion@\d+[\"']?[ \t]*$")
# no step has more lines before or behind its task
_LONGEST = 50
_VERSION = r"(?P<spec>\d+(?:\.\d+)*(?:\.[x*])?)(?=[\"'\s,}]|$)"
_GIVEN = re.compile(
    rf"(?:^|(?<=[\s{{,\"']))versionSpec[\"']?:[ \t]*[\"']?(?:{_VERSION}|\$\((?P<variable>[\w.]+)\))"
)
# keys that hold the parts of an image, by what they are
_NAMES = ("repository", "imageRepository", "newName", "name")
_TAGS = {"repository": "tag", "imageRepository": "imageTag", "newName": "newTag", "name": "newTag"}
_IMAGE_HINT = re.compile(r"[tT]ag[\"']?:")
_KEY = re.compile(
    r"[ \t]*(?P<item>-[ \t]+|\{[ \t]*)?"
    r"(?P<quote>[\"']?)(?P<key>[\w.-]+)(?P=quote)[ \t]*:(?=[ \t{]|$)"
)
_YAML_VALUE = re.compile(r"[ \t]*(?P<quote>[\"']?)(?P<value>[\w./:-]+)(?P=quote)[ \t]*,?[ \t]*$")
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
class NamedValue:
    """A value, the name that is given beside it, and where it stands: line and column from 0."""

    name: str
    value: str
    line: int
    column: int


def named_values(lines: Sequence[str]) -> Iterator[NamedValue]:
    """Yield the values of a text whose names say that they are a path or a Python.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("alue" in line for line in lines):
        return
    text = "\n".join(lines)
    if _HINT.search(text) is None:
        return
    for match in _PAIR.finditer(text):
        found = {key: group for key, group in match.groupdict().items() if group is not None}
        name = next(group for key, group in found.items() if key.startswith("name"))
        key = next(key for key in found if not key.startswith("name"))
        start = match.start(key)
        line = text.count("\n", 0, start)
        yield NamedValue(name, match[key], line, start - text.rfind("\n", 0, start) - 1)


@dataclass(frozen=True, slots=True)
class TaskVersion:
    """A version that tasks ask for.

    Parameters
    ----------
    versions : tuple of str
        The version; all of them, if those of a matrix take turns.
    line, column : int
        Where the first stands, from 0.
    """

    versions: tuple[str, ...]
    line: int
    column: int


def task_versions(lines: Sequence[str]) -> Iterator[TaskVersion]:
    """Yield the versions in a file of Azure Pipelines.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    seen: set[str] = set()
    for number, line in enumerate(lines):
        if _TASK.match(line) is None:
            continue
        for row in _step(lines, number, line.index("task:")):
            given = _GIVEN.search(lines[row])
            if given is None:
                continue
            if given["spec"] is not None:
                yield TaskVersion((given["spec"],), row, given.start("spec"))
            elif given["variable"] not in seen:
                seen.add(given["variable"])
                yield from _of_variable(lines, given["variable"])


def _step(lines: Sequence[str], number: int, column: int) -> Iterator[int]:
    """Yield the lines of the step with a task, whose keys stand in a column."""
    first, farthest = number, max(number - _LONGEST, 0)
    while first > farthest and not _starts_item(lines[first], column):
        first -= 1
        if 0 <= _depth(lines[first]) < column and not _starts_item(lines[first], column):
            return
    for row in range(first, min(number + _LONGEST, len(lines))):
        if row > first and 0 <= _depth(lines[row]) < column:
            return
        yield row


def _starts_item(line: str, column: int) -> bool:
    return re.fullmatch(r"[ \t]*-[ \t]+", line[:column]) is not None and len(line) > column


def _depth(line: str) -> int:
    """Return the column of the first character, -1 in an empty line."""
    text = line.lstrip()
    return len(line) - len(text) if text else -1


def _of_variable(lines: Sequence[str], name: str) -> Iterator[TaskVersion]:
    """Yield the values that a file gives to a variable; nothing if it gives none or others."""
    given = re.compile(rf"(?:^[ \t]*|[{{,][ \t]*)[\"']?{re.escape(name)}[\"']?:[ \t]*(?=\S)")
    version = re.compile(rf"[\"']?{_VERSION}")
    found: list[tuple[str, int, int]] = []
    for number, line in enumerate(lines):
        for value in given.finditer(line):
            spec = version.match(line, value.end())
            if spec is None:
                return
            found.append((spec["spec"], number, spec.start("spec")))
    if found:
        yield TaskVersion(tuple(spec for spec, _, _ in found), *found[0][1:])


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
    if not any(_IMAGE_HINT.search(line) for line in lines):
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
    value = _YAML_VALUE.match(line, key.end())
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
