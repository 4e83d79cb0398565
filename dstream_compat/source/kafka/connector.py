"""Which package of Spark reads Kafka, and which ones did so for DStreams."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

NAME: Final = "spark-sql-kafka-0-10"

_OLD: Final = "spark-streaming-kafka"
_OLD_PACKAGE: Final = re.compile(rf"org\.apache\.spark:{_OLD}[^:,]*:[^,]+")
_OLD_SCALA: Final = re.compile(rf"(?:.*:)?{NAME}_2\.1[0-2][:-].*")
_OLD_JAR: Final = re.compile(rf"{_OLD}.*\.jar")
_OF_IVY: Final = "org.apache.spark_"
"""Before the name of a jar that Spark's Ivy has fetched."""


def connector_package(version: str) -> str:
    """Return the coordinates of the Kafka connector of a Spark version."""
    return f"org.apache.spark:{NAME}_2.13:{version}"


def is_old(package: str) -> bool:
    """Return whether a package or a jar is a connector of Spark's DStreams, or of an old Scala."""
    name = _jar(package)
    return bool(
        _OLD_JAR.fullmatch(name) or _OLD_PACKAGE.fullmatch(package) or _OLD_SCALA.fullmatch(name)
    )


def is_connector(name: str) -> bool:
    """Return whether a package or a jar is the connector, of whatever version."""
    return f":{NAME}" in name or _jar(name).startswith(NAME)


def _jar(path: str) -> str:
    return os.path.basename(path).removeprefix(_OF_IVY)


def split(value: str | None) -> list[str]:
    """Return the packages or jars of a setting, with the jars that a pattern means."""
    parts = [part.strip() for part in (value or "").split(",") if part.strip()]
    return [path for part in parts for path in _matching_files(part) or [part]]


def on_class_path(class_path: str, home: str) -> bool:
    """Return whether the driver has the connector without being given it.

    Parameters
    ----------
    class_path : str
        ``spark.driver.extraClassPath``
    home : str
        the folder of Spark
    """
    entries = class_path.split(os.pathsep)
    jars = [
        path
        for entry in entries
        for path in (_matching_files(entry) if entry.endswith("*") else [entry])
    ]
    return _any_connector(jars) or _any_connector(map(str, Path(home, "jars").glob("*.jar")))


def _any_connector(jars: Iterable[str]) -> bool:
    return any(is_connector(jar) for jar in jars)


def _matching_files(pattern: str) -> list[str]:
    return sorted(glob.glob(pattern.removeprefix("file:"))) if glob.has_magic(pattern) else []
