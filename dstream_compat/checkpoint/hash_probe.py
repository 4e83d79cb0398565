"""Checks that workers hash strings as they did when a checkpoint was written."""

from __future__ import annotations

from typing import Any

from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..spark.warm_sql import query_classes_loading
from .checkpoint import Saved


def probe_hash(sc: SparkContext) -> int:
    """Return the hash of a fixed string in a Python worker."""

    def probe(_: Any) -> int:
        return hash("dstream-compat")

    with query_classes_loading(sc):
        return int(sc.parallelize([0], 1).map(probe).first())


def check_hash(sc: SparkContext, saved: Saved) -> None:
    """Refuse to continue state whose keys would now be looked for in other partitions.

    Raises
    ------
    CheckpointError
        if string hashes differ from those of the run that saved it
    """
    now = probe_hash(sc)
    if now != saved.hash_probe:
        raise CheckpointError(
            "string hashes differ from those of the run that wrote this checkpoint "
            f"({saved.hash_probe} then, {now} now): its state would be looked for in the wrong "
            "partitions. Use the same PYTHONHASHSEED and kind of Python as then, or move the state "
            "once with `python -m dstream_compat checkpoint rehash FOLDER`. Nothing was changed"
        )
