"""Filters the messages of Spark that a user of a job cannot act on.

Decision 0073: Messages about the inner steps of a query are filtered by their text.
"""

from __future__ import annotations

from typing import Any, Final

from pyspark import SparkContext

from .hdfs_retries import show_retries
from .java import AnyContext, java_class

_SQL: Final = "org.apache.spark.sql.execution"
_MESSAGES: Final = {
    # A bucket without keys is not stored, and an error only where there is one.
    f"{_SQL}.python.streaming.TransformWithStateInPySparkStateServer": (
        r"Map state state doesn't contain key .*",
        # A task was cancelled; that of a worker that died says so itself.
        r"No more data to read from the socket",
    ),
    # Its worker ended before it had connected, which is an error of its own unless the job stops.
    f"{_SQL}.python.streaming.TransformWithStateInPySparkPythonPreInitRunner": (
        r"failed to close state server socket",
    ),
    # The query's session has it disabled.
    f"{_SQL}.streaming.runtime.MicroBatchExecution": (
        r"Disabling AQE since AQE is not supported in stateful workloads\.",
    ),
    # Each stop of a query cancels its jobs, whether it has any: the group is the id of its run.
    "org.apache.spark.scheduler.DAGScheduler": (
        r"Failed to cancel job group \w{8}(-\w{4}){3}-\w{12}\. Cannot find active jobs for it\.",
    ),
    # A stop interrupted the thread that sets a file's permissions, and that ends by itself.
    "org.apache.hadoop.util.Shell": (r"Interrupted while joining on: Thread\[.*\]",),
    # Of the context behind the Streaming tab: our receivers take no core from tasks.
    "org.apache.spark.streaming.StreamingContext": (
        r"spark\.master should be set as local\[n\], n > 1 in local mode if you have receivers.*",
    ),
}
"""Whole messages of Spark's loggers, which log others that matter."""

_LOG4J: Final = "org.apache.logging.log4j"
_FACTORY: Final = "org.apache.logging.slf4j.Log4jLoggerFactory"
_DEFAULTS: Final = "org/apache/spark/log4j2-"
_filter: Any = None


def default_logging(sc: AnyContext) -> Any:
    """Return log4j's configuration where Spark logs as it does by default, else None.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is; the class, where a JVM runs and no context yet
    """
    factory = java_class(sc, "org.slf4j.LoggerFactory").getILoggerFactory()
    if factory.getClass().getName() != _FACTORY:
        return None
    logging = java_class(sc, f"{_LOG4J}.LogManager").getRootLogger().getContext().getConfiguration()
    return logging if _DEFAULTS in str(logging.getConfigurationSource().getLocation()) else None


def show_hdfs_retries(sc: AnyContext) -> None:
    """Log the retries of HDFS's clients, unless a user's own configuration says what is logged.

    Whoever is about to use HDFS calls it first: what waits for a NameNode is to say so.

    Parameters
    ----------
    sc : SparkContext
        see ``default_logging``
    """
    if default_logging(sc) is not None:
        show_retries(sc)


def keep_quiet(sc: SparkContext) -> None:
    """Filter these messages where Spark logs as it does by default.

    The filter is the root logger's, as ``setLogLevel`` changes its level only. It leaves out the
    loggers that have a level of their own, and a user's own configuration is not changed.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is
    """
    global _filter
    logging = default_logging(sc)
    if logging is None:
        return
    root = logging.getRootLogger()
    if _filter is not None and _filter._gateway_client is logging._gateway_client:
        root.removeFilter(_filter)  # of an earlier start: levels may have been set since
        _filter = None
    own = logging.getLoggers()
    messages = [
        message for name in _MESSAGES if not own.containsKey(name) for message in _MESSAGES[name]
    ]
    if messages:
        result = java_class(sc, f"{_LOG4J}.core.Filter$Result")
        filters = java_class(sc, f"{_LOG4J}.core.filter.RegexFilter")
        pattern = "|".join(messages)
        _filter = filters.createFilter(pattern, None, False, result.DENY, result.NEUTRAL)
        _filter.start()
        root.addFilter(_filter)
