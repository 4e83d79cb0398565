"""The storage levels that PySpark had until 3.0, under the names that old jobs use."""

from __future__ import annotations

from typing import Final

from pyspark import StorageLevel

_SAME: Final = {
    "MEMORY_ONLY_SER": "MEMORY_ONLY",
    "MEMORY_ONLY_SER_2": "MEMORY_ONLY_2",
    "MEMORY_AND_DISK_SER": "MEMORY_AND_DISK",
    "MEMORY_AND_DISK_SER_2": "MEMORY_AND_DISK_2",
}
"""PySpark 2's own words: records are always serialized in Python."""


def restore_old_levels() -> None:
    """Give Spark's class the names that it lacks."""
    for old, level in _SAME.items():
        if not hasattr(StorageLevel, old):
            setattr(StorageLevel, old, getattr(StorageLevel, level))
