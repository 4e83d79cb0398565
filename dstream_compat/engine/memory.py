"""How much memory a Python worker may use before it writes to disk: Spark's own setting."""

from __future__ import annotations

import gc
import os
import tempfile
from typing import Final

from pyspark import SparkContext
from pyspark.shuffle import get_used_memory
from pyspark.util import _parse_memory

SETTING: Final = "spark.python.worker.memory"
DEFAULT: Final = "512m"


def worker_memory() -> int:
    """Return what the active SparkContext allows each Python worker, in MiB."""
    sc = SparkContext._active_spark_context
    text = None if sc is None else sc.getConf().get(SETTING)
    return _parse_memory(text or DEFAULT)


def local_folders() -> list[str]:
    """Return the folders that Spark gives its workers for what does not fit into memory."""
    return os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")


class Watch:
    """Says when this process has come to use more memory than it may.

    As in PySpark's shuffle, what the process already uses and cannot give back does not count
    forever: the limit is at least 5 % above what was in use.

    Parameters
    ----------
    allowed : int
        MiB
    """

    def __init__(self, allowed: int) -> None:
        self.limit = max(allowed, get_used_memory() * 1.05)

    def exceeded(self) -> bool:
        """Return whether the process uses more than it may."""
        return get_used_memory() >= self.limit

    def released(self) -> None:
        """Go on after data was given up: the next limit is above what is in use now."""
        gc.collect()
        self.limit = max(self.limit, get_used_memory() * 1.05)
