"""The memory that a Python worker may use before it writes to disk, by Spark's own setting."""

from __future__ import annotations

import ctypes
import gc
import os
import tempfile
from collections.abc import Callable
from typing import Final

from pyspark import SparkContext
from pyspark.shuffle import get_used_memory
from pyspark.util import _parse_memory

SETTING: Final = "spark.python.worker.memory"
DEFAULT: Final = "512m"
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def worker_memory() -> int:
    """Return what the active SparkContext allows each Python worker, in MiB."""
    sc = SparkContext._active_spark_context
    # getConf() would copy all settings, by several calls into the JVM for each.
    text = None if sc is None else sc._conf.get(SETTING)
    return _parse_memory(text or DEFAULT)


def used_memory() -> float:
    """Return the memory that this process uses, in MiB: PySpark's figure, read faster on Linux."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE / (1 << 20)
    except FileNotFoundError:
        return get_used_memory()


def local_folders() -> list[str]:
    """Return the folders that Spark gives its workers for what does not fit into memory."""
    return os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")


def _malloc_trim() -> Callable[[int], int] | None:
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


_TRIM: Final = _malloc_trim()
"""The C library's own, if it has one: it keeps what was freed between blocks still in use, so that
memory seems to be taken long after the data is gone."""


def give_back() -> None:
    """Return memory that is no longer used to the system."""
    gc.collect()
    if _TRIM is not None:
        _TRIM(0)


class Watch:
    """Reports when this process uses more memory than it may.

    As in PySpark's shuffle, a process that already uses more may still use 5 % on top of that.

    Parameters
    ----------
    allowed : int
        MiB
    """

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self.limit = self._next()

    def is_exceeded(self) -> bool:
        """Return whether the process uses more than it may."""
        return used_memory() >= self.limit

    def begin_anew(self) -> None:
        """Begin anew after data was given up."""
        give_back()
        self.limit = self._next()

    def _next(self) -> float:
        return max(self._allowed, used_memory() * 1.05)
