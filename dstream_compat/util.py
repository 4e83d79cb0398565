"""Helpers with the names of ``pyspark.streaming.util``."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .exceptions import UnsupportedOperationError


class _Bridge:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise UnsupportedOperationError(
            type(self).__name__,
            "no function is handed to the JVM",
            "Give functions to transform() or foreachRDD()",
        )


class TransformFunction(_Bridge):
    """The name of Spark's bridge for RDD functions; raises UnsupportedOperationError."""


class TransformFunctionSerializer(_Bridge):
    """The name of what saves Spark's RDD functions; raises UnsupportedOperationError."""


def rddToFileName(prefix: str, suffix: str | None, timestamp: datetime | int | str) -> str:
    """Return the folder name of a batch: ``prefix-milliseconds[.suffix]``.

    Parameters
    ----------
    prefix, suffix : str
        parts of the name
    timestamp : datetime or int
        batch time; numbers are milliseconds since the epoch

    Returns
    -------
    str
    """
    if isinstance(timestamp, datetime):
        whole = timestamp.replace(microsecond=0)
        timestamp = round(whole.timestamp() * 1000) + timestamp.microsecond // 1000
    return f"{prefix}-{timestamp}" if suffix is None else f"{prefix}-{timestamp}.{suffix}"
