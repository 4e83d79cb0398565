"""Old versions of Java that a line names: settings, images and packages.

They matter only where a project has DStream code: see `migrator.run.scan`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.collect.required_versions import TAGGED_IMAGE
from migrator.spark.versions import JAVA

_WORDS = ("JAVA_HOME", "jdk", "temurin", "corretto", "java-", "java:")
_BYTES = tuple(word.encode() for word in _WORDS)
# lines wider than that are data
_WIDEST = 20_000
_VERSION = re.compile(
    r"(?:java-version|java-se|java|jdk|jre|zulu|temurin|corretto)[-_@=:\"' \t]*"
    r"(?:1\.)?(?P<number>\d{1,2})(?!\d)",
    re.IGNORECASE,
)
_PATTERNS = (
    # of a script, a container, a workflow
    re.compile(
        r"(?<![\w$])(?P<text>JAVA_HOME(?:[\"']?[ \t]*(?::?=|:)[ \t]*|[ \t]+)"
        r"(?:\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'`;&|,}<]+))"
        r"|^[ \t]*(?:-[ \t]+)?(?P<key>[\"']?java-version[\"']?:[ \t]*[\"']?\d[\w.]*)"
    ),
    re.compile(
        rf"(?:{TAGGED_IMAGE}|--from=)(?P<text>(?:[\w.-]+(?::\d+)?/)*"
        r"(?:openjdk|java|eclipse-temurin|adoptopenjdk|amazoncorretto|ibmjava|zulu-openjdk)"
        r":[\w.-]+)"
    ),
    # of Debian, Red Hat, Alpine, conda and Travis
    re.compile(
        r"(?<![\w./:-])(?P<text>(?:(?:open|oracle)jdk(?:[-@]|==?)?\d[\w.*-]*+"
        r"|java-[\d.]+-(?:openjdk|amazon-corretto)[\w-]*+))(?![./:])"
    ),
)


def may_name_java(text: str | bytes) -> bool:
    """Return whether a text, or the bytes of a file, may name a Java."""
    if isinstance(text, bytes):
        return any(word in text for word in _BYTES)
    return any(word in text for word in _WORDS)


def old_java_versions_in(line: str) -> Iterator[tuple[int, str, int]]:
    """Yield offset, text and version of each Java in a line that is too old for Spark 4."""
    if len(line) > _WIDEST:
        return
    for pattern in _PATTERNS:
        for match in pattern.finditer(line):
            group = "text" if match["text"] is not None else "key"
            version = _VERSION.search(match[group])
            if version is not None and 5 <= int(version["number"]) < JAVA:
                text = re.sub(r"[\"']", "", match[group])
                yield match.start(group), text, int(version["number"])
