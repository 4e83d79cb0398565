"""Connector packages of Spark Streaming in any text.

Their names alone are those of images, pods, topics and folders as well: only with a group, a
version of Scala, a full version or `.jar` is a name that of a package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PACKAGE_NAME = re.compile(
    r"""(?<![\w.])(?:(?P<group>org\.apache\.[\w.]*:)|(?:org|com)[\w.]*:)?
    spark-streaming-(?P<name>kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)
    (?:-0-8|-0-10|-asl|-sink)?(?:-assembly)?
    (?P<scala>_(?:2\.\d+|\$?\{{1,2}[^{}\s]*\}{1,2}|\$\(?\w+\)?|%s|%\(\w+\)s|(?!\w)))?
    (?:[:-]\d[\w.]*(?:-[\w.]+)*)?(?P<jar>\.jar)?
    (?![\w-])""",
    re.VERBOSE,
)
_FULL_VERSION = re.compile(r"-\d+\.\d+\.\d+")
# the group stands apart: Maven, sbt, Gradle's `group: "...", name: "..."`
_BEFORE = re.compile(
    r"""(?:<artifactId>\s*|%%?\s*["']|org\.apache\.(?:spark|bahir)["']?\s*[:,%/\s]+(?:name\s*[:=]\s*)?["']?)$"""
)
# several commands in a line
_NEXT_COMMAND = re.compile(r"\s(?:&&|\|\|)\s|;\s|[\"'],\s*[\"']\S*submit\s")
# how far before a name its group is looked for
_AROUND = 100


def connector_packages_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each connector package in a text: its offset, its coordinates, the connector's name."""
    found: dict[tuple[int, int, str], tuple[int, str, str]] = {}
    line = counted = command = 0
    for match in _PACKAGE_NAME.finditer(text):
        if not _is_package(text, match):
            continue
        line += text.count("\n", counted, match.start())
        command += _NEXT_COMMAND.search(text, counted, match.start()) is not None
        counted = match.start()
        # a URL names its package several times: once a command is enough
        key = (line, command, match["name"])
        if key not in found or len(match.group()) > len(found[key][1]):
            found[key] = (match.start(), match.group(), match["name"])
    yield from found.values()


def _is_package(text: str, match: re.Match[str]) -> bool:
    if match["group"] or match["scala"] or match["jar"] or _FULL_VERSION.search(match.group()):
        return True
    return _BEFORE.search(text, max(match.start() - _AROUND, 0), match.start()) is not None
