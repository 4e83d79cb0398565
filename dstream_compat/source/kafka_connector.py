"""Which package of Spark reads Kafka."""

from __future__ import annotations

import re
from typing import Final

_OLD: Final = re.compile(r"org\.apache\.spark:spark-streaming-kafka[^:,]*:[^,]+")
NAME: Final = "spark-sql-kafka-0-10"


def connector_package(version: str) -> str:
    """Return the coordinates of the Kafka connector of a Spark version."""
    return f"org.apache.spark:{NAME}_2.13:{version}"


def with_connector(packages: str | None, version: str) -> str:
    """Return a value of ``spark.jars.packages`` that has the connector.

    Parameters
    ----------
    packages : str, optional
        what the user asks for; connectors of Spark's DStreams are replaced
    version : str
        of Spark
    """
    given = [one.strip() for one in (packages or "").split(",") if one.strip()]
    kept = [one for one in given if not _OLD.fullmatch(one)]
    if not any(f":{NAME}" in one for one in kept):
        kept.append(connector_package(version))
    return ",".join(kept)
