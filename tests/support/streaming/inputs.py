"""The inputs of sources, opened without a job or found in one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark import SparkConf

from dstream_compat.source.base import Demand, Source
from dstream_compat.storage.spool import Spool

INTERVAL = 1000
"""Milliseconds."""


class EachBatch:
    """A demand for each batch."""

    def place(self, time: int, items: int) -> int:
        return min(time // INTERVAL - 1, items)


def opened(
    source: Source,
    settings: Mapping[str, str] | None = None,
    spool: Spool | None = None,
    demand: Demand | None = None,
) -> Any:
    """Open a source, with settings (without ``spark.streaming.``)."""
    conf = SparkConf(loadDefaults=False)
    for name, value in (settings or {}).items():
        conf.set(f"spark.streaming.{name}", value)
    return source.open(conf, INTERVAL, spool, demand or EachBatch())


def input_of(stream: Any) -> Any:
    """Return the input of a source's stream whose context was started."""
    return stream._ssc._job.scheduler.inputs[stream._node.id]
