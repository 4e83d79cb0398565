"""Where Spark and Python make their Unix sockets, if the usual folder has too long a path.

Decision 0040: Unix sockets connect Spark and Python.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from ..wire.socket_paths import fits, private_folder

if TYPE_CHECKING:
    from pyspark import SparkContext

SOCKETS: Final = "spark.python.unix.domain.socket.enabled"
"""Small jobs take a third of the time: over TCP, each waits for delayed acknowledgements."""

FOLDER: Final = "spark.python.unix.domain.socket.dir"
"""One value for driver and executors; without it, each JVM uses its own temporary folder."""

_COMMON: Final = "/tmp"
"""A folder that other machines have, too, where JVMs make their sockets unless told otherwise."""

_SPARKS_DEFAULT: Final = "PYSPARK_UDS_MODE"
_TEMPORARY: Final = re.compile(r"-Djava\.io\.tmpdir=(\S+)")
_OPTIONS: Final = (
    "spark.executor.defaultJavaOptions",
    "spark.executor.extraJavaOptions",
    "spark.executorEnv.JAVA_TOOL_OPTIONS",
    "spark.executorEnv.JDK_JAVA_OPTIONS",
    "spark.executorEnv._JAVA_OPTIONS",
)


def choose_socket_folder(sc: SparkContext, jconf: Any) -> None:
    """Name a short folder for sockets, unless the user names one, if a JVM's own is too long.

    Parameters
    ----------
    sc : SparkContext
        one that is being created
    jconf : SparkConf of the JVM
        its settings, which are changed
    """
    enabled = jconf.get(SOCKETS, os.environ.get(_SPARKS_DEFAULT, "false"))
    if enabled.lower() != "true" or jconf.contains(FOLDER):
        return
    jvm: Any = sc._jvm
    master = jconf.get("spark.master")
    folders = [jvm.java.lang.System.getProperty("java.io.tmpdir")]
    for key in _OPTIONS:
        folders += _TEMPORARY.findall(jconf.get(key, ""))
    # A container of YARN has a temporary folder of its own, whatever the options say.
    if master.split(":")[0] != "yarn" and all(map(fits, folders)):
        return
    if not is_local(master):
        jconf.set(FOLDER, _COMMON)
        return
    folder = private_folder()
    hooks = getattr(jvm, "org.apache.spark.util.ShutdownHookManager")
    hooks.registerShutdownDeleteDir(jvm.java.io.File(folder))
    jconf.set(FOLDER, folder)


def is_local(master: str) -> bool:
    """Return whether driver and executors of a master are one process."""
    return master == "local" or master.startswith("local[")
