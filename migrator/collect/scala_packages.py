"""JVM packages that are built for some version of Scala, in any text.

Coordinates and jars are packages. Folders, archives and images have such names as well, most of all
those of the Kafka broker (`kafka_2.12-2.5.0.tgz`), and their Scala does not matter to Spark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Spark 4 runs on 2.13
_OLD = frozenset({"2.10", "2.11", "2.12"})
_PACKAGE = re.compile(
    r"""(?<![\w.-])(?:[A-Za-z][\w.-]*:)?(?P<name>[A-Za-z][\w.-]*?)
    _(?P<scala>2\.1[0-9])(?P<rest>[:-]\d[\w.]*(?:-[A-Za-z]\w*)*(?:\.jar)?|\.jar)""",
    re.VERBOSE,
)
_OLD_BYTES = re.compile(rb"[A-Za-z0-9]_2\.1[0-2](?::\d|[\w.-]*\.jar)")
_REPORTED = re.compile(r"spark-streaming-(?:kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)")


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
