"""Finds the old Javas of commands, images and settings, and what a new Java changes around them.

A package, the folders it installs and the image it comes from change together, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from migrator.collect.java_versions import (
    JAVA_CAVEAT,
    JavaNaming,
    java_of_task,
    javas_in,
    named_java,
)
from migrator.languages.named_values import named_values
from migrator.languages.pipeline_tasks import task_versions
from migrator.languages.shell import LogicalLine
from migrator.languages.split_images import split_images
from migrator.model.report import Spot, TextEdit
from migrator.model.requirement_events import JavaVersion

_JOBS = re.compile(r"spark|\.py\b|\bpip\d?\b|requirements[\w-]*\.txt|conda|jupyter", re.IGNORECASE)
# other programs on a Java, whose own versions may need the old one
_OTHERS = re.compile(
    r"(?<![\w-])(?:kafka|confluent|zookeeper|(?<!bin-)hadoop|hdfs|yarn|hive|hbase|flume|cassandra"
    r"|elasticsearch|logstash|tomcat|jetty|mvnw?|maven|gradlew?|sbt)(?![a-z])|\bjava\s+-\w|\.jar\b",
    re.IGNORECASE,
)
_STAGE = re.compile(
    r"FROM[ \t]+(?:--\S+[ \t]+)?(?P<base>\S+)(?:[ \t]+AS[ \t]+(?P<name>\S+))?", re.IGNORECASE
)
# images whose packages have the new Java as well
_HAVE_BOTH = re.compile(
    r"(?:ubuntu:(?:18|20|22|24)\.04|ubuntu:(?:bionic|focal|jammy|noble)[\w.-]*"
    r"|debian:(?:11|bullseye)[\w.-]*|python:[\w.-]*bullseye)"
)
_CONDA_FORGE = re.compile(r"conda-forge|miniforge|mambaforge")
# builds of Java that ended before the new one
_ENDED = re.compile(r"distribution:[ \t]*[\"']?adopt(?:-\w+)?[\"']?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Found:
    """An old Java, the line of the text that it stands in (from 0), and its edit."""

    naming: JavaNaming
    at: Spot
    line: int
    edit: TextEdit | None


def java_events(
    lines: Sequence[str], logical: Sequence[LogicalLine], before: int, cell: int | None, whole: bool
) -> Iterator[JavaVersion]:
    """Yield an event for each old Java of a text, but for those of other programs.

    Parameters
    ----------
    lines : sequence of str
        The lines of the text without comments.
    logical : sequence of LogicalLine
        The same as logical lines.
    before : int
        How many lines of the file stand before the text.
    whole : bool
        Whether they can be edited.
    """
    found = [f for line in logical for f in _in_line(lines, line, before, cell, whole)]
    found += _named(lines, found, before, cell, whole)
    found += _apart(lines, before, cell, whole)
    parts: dict[frozenset[int], list[_Found]] = {}
    for one in found:
        parts.setdefault(_part(lines, one.line), []).append(one)
    for part, inside in parts.items():
        text = "\n".join(lines[number] for number in sorted(part))
        others = _OTHERS.search(text) is not None
        if others and not _JOBS.search(text):
            continue
        edits = tuple(dict.fromkeys(f.edit for f in inside if f.edit is not None))
        proven = not others and all(_is_proven(f, inside, text) for f in inside)
        for one in inside:
            own = () if one.edit is None else edits
            caveat = "" if proven else JAVA_CAVEAT
            yield JavaVersion(one.at, one.naming.text, one.naming.version, own, caveat)


def _in_line(
    lines: Sequence[str], line: LogicalLine, before: int, cell: int | None, whole: bool
) -> Iterator[_Found]:
    for naming in javas_in(line.text):
        # what stands in a variable is reported where that is set
        if line.is_filled(naming.start, naming.end):
            continue
        number, column = line.place(naming.start)
        at = Spot(number + before, column, cell)
        old = line.text[naming.start : naming.end]
        written = lines[number - 1][column - 1 :].startswith(old)
        edit = None
        if whole and written and naming.new is not None:
            edit = TextEdit(at, old, naming.new)
        yield _Found(naming, at, number - 1, edit)


def _named(
    lines: Sequence[str], known: Sequence[_Found], before: int, cell: int | None, whole: bool
) -> Iterator[_Found]:
    """Yield the old Javas that stand beside their names, but for those that are known."""
    for value in named_values(lines):
        naming = named_java(value.name, value.value, value.column)
        last = value.column + len(value.value)
        if naming is None or any(
            one.line == value.line and value.column < one.at.column <= last for one in known
        ):
            continue
        at = Spot(value.line + 1 + before, naming.start + 1, cell)
        old = lines[value.line][naming.start : naming.end]
        edit = TextEdit(at, old, naming.new) if whole and naming.new is not None else None
        yield _Found(naming, at, value.line, edit)


def _apart(lines: Sequence[str], before: int, cell: int | None, whole: bool) -> Iterator[_Found]:
    """Yield the old Javas of images and tasks whose version stands apart from their name."""
    namings: list[tuple[int, int, JavaNaming]] = []
    for image in split_images(lines):
        shown = f"image: {image.name}:{image.tag}"
        for naming in javas_in(shown):
            if naming.end == len(shown):
                namings.append((image.line, image.column, naming))
    for task in task_versions(lines):
        java = java_of_task(task.versions[0]) if task.kind == "java" else None
        if java is not None and len(task.versions) == 1:
            namings.append((task.line, task.column, java))
    for line, column, naming in namings:
        at = Spot(line + 1 + before, column + 1, cell)
        edit = None
        if whole and naming.new is not None:
            old = lines[line][column : column + naming.end - naming.start]
            edit = TextEdit(at, old, naming.new)
        yield _Found(naming, at, line, edit)


def _part(lines: Sequence[str], number: int) -> frozenset[int]:
    """Return the lines of the service of Compose or the image
    that a line is part of, or all of them.
    """
    services = next((n for n, line in enumerate(lines) if line.startswith("services:")), None)
    if services is not None and number > services:
        return _service(lines, services, number)
    stages = [(n, m) for n, line in enumerate(lines) if (m := _STAGE.match(line)) is not None]
    if stages and number >= stages[0][0]:
        return _stages(lines, stages, number)
    return frozenset(range(len(lines)))


def _service(lines: Sequence[str], services: int, number: int) -> frozenset[int]:
    depths = [(n, len(s) - len(s.lstrip())) for n, s in enumerate(lines) if s.strip()]
    inside = [(n, depth) for n, depth in depths if n > services]
    depth = inside[0][1]
    starts = [n for n, own in inside if own <= depth]
    first = max(n for n in starts if n <= number)
    return frozenset(range(first, min((n for n in starts if n > number), default=len(lines))))


def _stages(
    lines: Sequence[str], stages: list[tuple[int, re.Match[str]]], number: int
) -> frozenset[int]:
    """Return the lines of the stage of an image, and of those
    it is built on or that are built on it.
    """
    ends = [n for n, _ in stages[1:]] + [len(lines)]
    own = next(i for i, end in enumerate(ends) if number < end)
    names = {m["name"]: i for i, (_, m) in enumerate(stages) if m["name"]}
    chosen = {own}
    for _ in stages:
        for index, (_, match) in enumerate(stages):
            base = names.get(match["base"])
            if base is not None and base != index and {index, base} & chosen:
                chosen |= {index, base}
    return frozenset(n for i in chosen for n in range(stages[i][0], ends[i]))


def _is_proven(found: _Found, inside: list[_Found], text: str) -> bool:
    """Return whether the new Java is seen to be there."""
    if found.edit is None:
        return False
    match found.naming.kind:
        case "image":
            return True
        case "apt":
            bases = [m["base"] for line in text.split("\n") if (m := _STAGE.match(line))]
            return any(_HAVE_BOTH.fullmatch(base) for base in bases)
        case "home" | "path":
            kind = "image" if "/openjdk-" in found.edit.old else "apt"
            return any(f.naming.kind == kind for f in inside)
        case "conda":
            return _CONDA_FORGE.search(text) is not None
        case "action":
            return _ENDED.search(text) is None
    return False
