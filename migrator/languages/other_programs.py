"""Tells the parts of a text that run jobs from those that run other programs on a Java."""

from __future__ import annotations

import re
from collections.abc import Sequence

_JOBS = re.compile(r"spark|\.py\b|\bpip\d?\b|requirements[\w-]*\.txt|conda|jupyter", re.IGNORECASE)
# whose own versions may need the old one
_OTHERS = re.compile(
    r"(?<![\w-])(?:kafka|confluent|zookeeper|(?<!bin-)hadoop|hdfs|yarn|hive|hbase|flume|cassandra"
    r"|elasticsearch|logstash|tomcat|jetty|mvnw?|maven|gradlew?|sbt)(?![a-z])|\bjava\s+-\w|\.jar\b",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"FROM[ \t]", re.IGNORECASE)


def is_for_others(lines: Sequence[str], number: int) -> bool:
    """Return whether a line, from 0, is seen to be for another program that runs on a Java."""
    part = _part(lines, number)
    return _JOBS.search(part) is None and _OTHERS.search(part) is not None


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
