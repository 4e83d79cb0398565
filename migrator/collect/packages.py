"""JVM packages in any text: connectors of Spark Streaming, and those for some version of Scala.

The names of connectors alone are those of images, pods, topics and folders as well: only with a
group, a version of Scala, a full version or `.jar` is a name that of a package. Of other packages,
coordinates and jars count. Folders, archives and images have such names as well, most of all those
of the Kafka broker (`kafka_2.12-2.5.0.tgz`), and their Scala does not matter to Spark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CONNECTOR = re.compile(
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
# Spark 4 runs on 2.13
_OLD = frozenset({"2.10", "2.11", "2.12"})
_PACKAGE = re.compile(
    r"""(?<![\w.-])(?:[A-Za-z][\w.-]*:)?(?P<name>[A-Za-z][\w.-]*?)
    _(?P<scala>2\.1[0-9])(?P<rest>[:-]\d[\w.]*(?:-[A-Za-z]\w*)*(?:\.jar)?|\.jar)""",
    re.VERBOSE,
)
_OLD_BYTES = re.compile(rb"[A-Za-z0-9]_2\.1[0-2](?::\d|[\w.-]*\.jar)")
_REPORTED = re.compile(r"spark-streaming-(?:kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)")


def connector_packages_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each connector package in a text: its offset, its coordinates, the connector's name."""
    found: dict[tuple[int, int, str], tuple[int, str, str]] = {}
    line = counted = command = 0
    for match in _CONNECTOR.finditer(text):
        if not _is_connector(text, match):
            continue
        line += text.count("\n", counted, match.start())
        command += _NEXT_COMMAND.search(text, counted, match.start()) is not None
        counted = match.start()
        # a URL names its package several times: once a command is enough
        key = (line, command, match["name"])
        if key not in found or len(match.group()) > len(found[key][1]):
            found[key] = (match.start(), match.group(), match["name"])
    yield from found.values()


def _is_connector(text: str, match: re.Match[str]) -> bool:
    if match["group"] or match["scala"] or match["jar"] or _FULL_VERSION.search(match.group()):
        return True
    return _BEFORE.search(text, max(match.start() - _AROUND, 0), match.start()) is not None


def may_name_old_scala(data: bytes) -> bool:
    """Return whether the bytes of a file may hold such a package."""
    return b"_2.1" in data and _OLD_BYTES.search(data) is not None


def scala_packages_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each package for an old Scala: its offset, its text, and that Scala.

    Connectors of Spark Streaming are left out, they have a rule of their own.
    """
    if "_2.1" not in text:
        return
    for match in _PACKAGE.finditer(text):
        old = match["scala"] in _OLD and not _REPORTED.match(match["name"])
        if old and _is_package(text, match):
            yield match.start(), match.group(), match["scala"]


def _is_package(text: str, match: re.Match[str]) -> bool:
    """Return whether a name is that of a jar or of coordinates, which are in no path."""
    if match["rest"].endswith(".jar"):
        return True
    return match["rest"].startswith(":") and text[: match.start()][-1:] != "/"
