"""Warms Spark's Python workers up while the driver still plans: both take seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

if TYPE_CHECKING:
    import pyarrow as pa

_LOG = logging.getLogger("dstream_compat")


def beside(what: str, warm: Callable[[], None]) -> None:
    """Run something in a thread of its own.

    Parameters
    ----------
    what : str
        what is warmed up, for the log
    warm : callable
        what fails in it fails again in the first micro-batch, which tells the user
    """

    def run() -> None:
        try:
            warm()
        except Exception as error:
            _LOG.debug("%s: not warmed up: %s", what, error)

    threading.Thread(target=run, name="dstream-compat-warming", daemon=True).start()


def warm_arrow_workers(session: SparkSession, tasks: int) -> None:
    """Let the workers of a plan's stages start, and Spark load what such a plan needs.

    Parameters
    ----------
    session : SparkSession
        the query's own
    tasks : int
        how many run at a time
    """

    def load(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import dstream_compat.wire.arrow
        import dstream_compat.wire.reports
        import dstream_compat.worker.reading.entry_place
        import dstream_compat.worker.stages  # noqa: F401

        yield from batches

    numbers = session.range(0, tasks, 1, tasks)
    beside("workers of the plan", lambda: _count(numbers.mapInArrow(load, numbers.schema)))


def _count(frame: object) -> None:
    frame._jdf.queryExecution().toRdd().count()  # type: ignore[attr-defined]
