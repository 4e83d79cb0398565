"""Lets a job wait for a NameNode that is away, or in safe mode, for a while.

It is the client of HDFS that waits, so this holds for all that a job does there: files of the user,
our checkpoint, and Spark's own in the driver and in executors.

Decision 0121: HDFS's own client waits for a NameNode.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from .java import AnyContext, java_class

SETTING: Final = "spark.hadoop.dfs.client.retry.policy.enabled"
"""Off by default in Hadoop, where a cluster has one NameNode only: the first refusal is final."""

_PAIRS: Final = "dfs.ha.namenodes."
"""Begins the settings that name the NameNodes of a service which has a standby.

Clients of such a service go to the other one at once, unless they are told to wait for the first.
"""
_FOLDERS: Final = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")

_LOGGERS: Final = (
    "org.apache.hadoop.io.retry.RetryInvocationHandler",
    "org.apache.hadoop.ipc.Client",
)
"""What says, at level INFO, that a call or a connection is tried again, and why."""

_LOG4J: Final = "org.apache.logging.log4j"


def wait_for_hdfs(sc: AnyContext, jconf: Any) -> None:
    """Let clients of HDFS call again what may succeed later, unless the user has decided.

    Where an HDFS has a standby, nothing is changed: its clients do that.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is
    jconf : SparkConf of the JVM
        the settings of a context that is being created, which are changed
    """
    hadoop = java_class(sc, "org.apache.hadoop.hdfs.HdfsConfiguration")()
    pairs = hadoop.getPropsWithPrefix(_PAIRS), jconf.getAllWithPrefix(f"spark.hadoop.{_PAIRS}")
    if not any(map(len, pairs)):
        jconf.setIfMissing(SETTING, "true")


def has_standby(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the settings of Hadoop's clients name an HDFS that has a standby.

    Parameters
    ----------
    environment : mapping of str
        the variables that name the folders of these settings
    """
    folders = [Path(environment[name]) for name in _FOLDERS if environment.get(name)]
    for file in (file for folder in folders for file in folder.glob("*.xml")):
        with suppress(OSError):  # Spark says that it cannot be read
            if _PAIRS.encode() in file.read_bytes():
                return True
    return False


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
