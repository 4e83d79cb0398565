"""Warms Spark's Python workers up while the driver still plans: both take seconds.

Decision 0069: Workers start while the driver plans.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_LOG = logging.getLogger("dstream_compat")


def beside(what: str, warm: Callable[[], None]) -> threading.Thread:
    """Run something in a thread of its own, which is returned.

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

    thread = threading.Thread(target=run, name="dstream-compat-warming", daemon=True)
    thread.start()
    return thread


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
        # pyarrow asks for pandas when it converts a list, as PySpark's results of state are
        import pandas  # noqa: F401
        from pyspark.sql.streaming.proto import StateMessage_pb2  # noqa: F401

        import dstream_compat.wire.arrow
        import dstream_compat.wire.reports
        import dstream_compat.worker.operators.keyed_state
        import dstream_compat.worker.reading.entry_place
        import dstream_compat.worker.stages
        import dstream_compat.worker.state_calls  # noqa: F401

        yield from batches

    numbers = session.range(0, tasks, 1, tasks)
    beside("workers of the plan", lambda: _count(numbers.mapInArrow(load, numbers.schema)))


def _count(frame: object) -> None:
    frame._jdf.queryExecution().toRdd().count()  # type: ignore[attr-defined]
