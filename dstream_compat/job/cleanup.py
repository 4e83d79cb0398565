"""Waits until a job is drained, and closes what is left of a Spark that may be gone."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from pyspark import SparkContext

from ..spark.java import JVM_ERRORS, spark_is_there

_LOG = logging.getLogger("dstream_compat")


def wait_drained(drained: threading.Event, seconds: float, ended: Callable[[], bool]) -> None:
    """Wait until everything received is processed; says so if that takes too long.

    Parameters
    ----------
    drained : threading.Event
        set when it is
    seconds : float
        how long to wait at most
    ended : callable
        whether the job has ended otherwise
    """
    deadline = time.monotonic() + seconds
    while not drained.wait(0.05) and not ended():
        if time.monotonic() > deadline:
            _LOG.warning(
                "a graceful stop did not end within %g s (spark.streaming.gracefulStopTimeout): "
                "batches that are running may still end, and no further one begins",
                seconds,
            )
            return


def close_what_is_there(sc: SparkContext, close: Callable[[], None]) -> None:
    """Close something of the JVM, which may have ended.

    Parameters
    ----------
    sc : SparkContext
        whose JVM it is
    close : callable
        closes it
    """
    try:
        close()
    except JVM_ERRORS as error:
        if spark_is_there(sc):
            _LOG.warning("a part of the job could not be closed: %s", str(error).partition("\n")[0])
