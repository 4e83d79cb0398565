"""Since which Spark there is what a result of `--target structured` uses.

Tests compare the table of functions and methods with what PySpark says of them. What all supported
versions have need not be here.

Decision 0117: Results are kept to a Spark that is asked for.
"""

from __future__ import annotations

from typing import Final

Version = tuple[int, int]

SPARKS: Final = ("3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3")
"""The versions that results can be for."""
ANSI_SPARK: Final[Version] = (4, 0)
"""The first Spark with ANSI SQL switched on by default."""
ANSI: Final = "spark.sql.ansi.enabled"

FUNCTIONS: Final[dict[str, Version]] = {
    "bool_and": (3, 5),
    "bool_or": (3, 5),
    "btrim": (3, 5),
    "call_function": (3, 5),
    "day": (3, 5),
    "inline": (3, 4),
    "map_contains_key": (3, 4),
    "pmod": (3, 4),
    "regexp_extract_all": (3, 5),
    "replace": (3, 5),
    "to_timestamp_ntz": (3, 5),
    "try_element_at": (3, 5),
}
"""Functions of `pyspark.sql.functions`."""
COLUMN_ARGUMENTS: Final[dict[str, tuple[int, Version]]] = {
    "array_remove": (1, (4, 0)),
    "instr": (1, (4, 0)),
    "map_contains_key": (1, (4, 0)),
    "regexp_replace": (1, (3, 5)),
    "round": (1, (4, 0)),
    "split": (1, (4, 0)),
    "substring": (1, (4, 0)),
}
"""Functions that took constants only, from some argument on, and take columns now."""
MORE_ARGUMENTS: Final[dict[str, tuple[int, Version]]] = {"ltrim": (1, (4, 0)), "rtrim": (1, (4, 0))}
"""Functions that have got more arguments than these."""
KEYWORDS: Final[dict[str, Version]] = {"useArrow": (4, 0)}
"""Arguments. Spark 3.5 has `useArrow`, and passes over it for functions without a signature."""
METHODS: Final[dict[str, Version]] = {"transformWithState": (4, 1)}
"""Methods of DataFrames, columns and queries."""
OF_SESSION: Final[dict[str, Version]] = {"active": (3, 5)}
"""Methods of the class SparkSession; others have some of their names, too."""
CLASSES: Final[dict[str, Version]] = {
    "pyspark.sql.streaming.StatefulProcessor": (4, 0),
    "pyspark.sql.streaming.StatefulProcessorHandle": (4, 0),
}
SETTINGS: Final[dict[str, Version]] = {"spark.log.level": (3, 5)}
"""Settings that older versions pass over."""

OLDEST: Final[Version] = (3, 3)
"""The first one with `rate-micro-batch`, and with the times of files in a stream."""


def version_of(spark: str) -> Version:
    """Return a version such as 3.5."""
    major, minor = spark.split(".")
    return int(major), int(minor)


def version_name(spark: Version) -> str:
    """Return a version as it is written."""
    return ".".join(map(str, spark))


NEWEST: Final[Version] = version_of(SPARKS[-1])
