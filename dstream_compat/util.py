"""Helpers with the names of ``pyspark.streaming.util``."""

from __future__ import annotations

from datetime import datetime


def rddToFileName(prefix: str, suffix: str | None, timestamp: datetime | int | str) -> str:
    """Return the folder name of a batch: ``prefix-milliseconds[.suffix]``.

    Parameters
    ----------
    prefix, suffix : str
        parts of the name
    timestamp : datetime or int
        batch time; numbers are milliseconds since the epoch
    """
    if isinstance(timestamp, datetime):
        timestamp = round(timestamp.timestamp() * 1000)
    return f"{prefix}-{timestamp}" if suffix is None else f"{prefix}-{timestamp}.{suffix}"
