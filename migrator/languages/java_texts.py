"""Finds the old versions of Java that commands, images and settings of a text name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrator.collect.java_versions import old_java_versions_in
from migrator.languages.shell import LogicalLine
from migrator.languages.versions_apart import named_values, split_images
from migrator.model.report import Spot
from migrator.model.requirement_events import JavaVersion

_JOBS = re.compile(r"spark|\.py\b|\bpip\d?\b|requirements[\w-]*\.txt|conda|jupyter", re.IGNORECASE)
# other programs on a Java, whose own versions may need the old one
_OTHERS = re.compile(
    r"(?<![\w-])(?:kafka|confluent|zookeeper|(?<!bin-)hadoop|hdfs|yarn|hive|hbase|flume|cassandra"
    r"|elasticsearch|logstash|tomcat|jetty|mvnw?|maven|gradlew?|sbt)(?![a-z])|\bjava\s+-\w|\.jar\b",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"FROM[ \t]", re.IGNORECASE)


def java_events(
    lines: Sequence[str], logical: Sequence[LogicalLine], before: int, cell: int | None
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
    cell : int, optional
        The notebook's cell.
    """
    for (number, column), text, version in _versions(lines, logical):
        part = _part(lines, number - 1)
        if _JOBS.search(part) or not _OTHERS.search(part):
            yield JavaVersion(Spot(number + before, column, cell), text, version)


def _versions(
    lines: Sequence[str], logical: Sequence[LogicalLine]
) -> Iterator[tuple[tuple[int, int], str, int]]:
    """Yield the place, text and version of each old Java."""
    for line in logical:
        for offset, text, version in old_java_versions_in(line.text):
            # what stands in a variable is reported where that is set
            if not line.is_filled(offset, offset + len(text)):
                yield line.place(offset), text, version
    # a path, not the name of a variable
    for value in (named for named in named_values(lines) if re.search(r"[/\\]", named.value)):
        for _, text, version in old_java_versions_in(f"{value.name}={value.value}"):
            yield (value.line + 1, value.column + 1), text, version
    for image in split_images(lines):
        for _, text, version in old_java_versions_in(f"image: {image.name}:{image.tag}"):
            yield (image.line + 1, image.column + 1), text, version


def _part(lines: Sequence[str], number: int) -> str:
    """Return the image of a Dockerfile or service of Compose that a line is part of, or all."""
    services = next((n for n, line in enumerate(lines) if line.startswith("services:")), None)
    if services is None:
        starts = [n for n, line in enumerate(lines) if _IMAGE.match(line)]
    else:
        inside = [n for n, line in enumerate(lines) if n > services and line.strip()]
        depth = min((_depth(lines[n]) for n in inside[:1]), default=0)
        starts = [n for n in inside if _depth(lines[n]) <= depth]
    first = max((n for n in starts if n <= number), default=0)
    return "\n".join(lines[first : min((n for n in starts if n > number), default=len(lines))])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
