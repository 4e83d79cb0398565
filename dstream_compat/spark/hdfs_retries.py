"""Lets a job wait for a NameNode that is away, or in safe mode, for a while.

It is the client of HDFS that waits, so this holds for all that a job does there: files of the user,
our checkpoint, and Spark's own in the driver and in executors.

Decision 0121: HDFS's own client waits for a NameNode.
"""

from __future__ import annotations

from typing import Any, Final

from .java import AnyContext, java_class

SETTING: Final = "spark.hadoop.dfs.client.retry.policy.enabled"
"""Off by default in Hadoop, where a cluster has one NameNode only: the first refusal is final."""

_LOGGERS: Final = (
    "org.apache.hadoop.io.retry.RetryInvocationHandler",
    "org.apache.hadoop.ipc.Client",
)
"""What says, at level INFO, that a call or a connection is tried again, and why."""

_LOG4J: Final = "org.apache.logging.log4j"


def wait_for_hdfs(jconf: Any) -> None:
    """Let clients of HDFS call again what may succeed later, unless the user has decided.

    Parameters
    ----------
    jconf : SparkConf of the JVM
        the settings of a context that is being created, which are changed
    """
    jconf.setIfMissing(SETTING, "true")


def show_retries(sc: AnyContext) -> None:
    """Log each retry of the driver, whatever the level of other messages is.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is
    """
    level = java_class(sc, f"{_LOG4J}.Level").INFO
    configurator = java_class(sc, f"{_LOG4J}.core.config.Configurator")
    for name in _LOGGERS:
        configurator.setLevel(name, level)
