"""Lets the Python workers of a SparkContext know ``pyspark.streaming`` as this package, too.

A function of a module is pickled by its name, so workers import that module before they run
anything of ours; it may import ``pyspark.streaming.kafka``, which Spark no longer has.
"""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..python_start.sitecustomize import STATE
from .console import show_hdfs_retries
from .hdfs_retries import wait_for_hdfs
from .socket_folder import choose_socket_folder, is_local
from .warm_sql import sql_classes_loading

if TYPE_CHECKING:
    from pyspark import SparkContext

DAEMON: Final = "spark.python.daemon.module"
MODULE: Final = "dstream_compat.daemon"

_PATH: Final = "PYTHONPATH"
PACKAGE: Final = "dstream_compat.zip"
"""What `submit` gives to --py-files."""


def install_in_workers() -> None:
    """Let the workers of all SparkContexts created from now on begin with ``install()``.

    Their sockets get paths that are short enough, and their clients of HDFS wait for it. These
    contexts load Spark SQL while they start, since each job needs it.
    """
    from pyspark import SparkContext

    # Its settings are complete here, with those of the JVM, of files and of the script.
    initialize = SparkContext._initialize_context

    @functools.wraps(initialize)
    def with_daemon(self: SparkContext, jconf: Any) -> Any:
        with sql_classes_loading(self._jvm):
            jconf = jconf.clone()  # it may be of a SparkConf that is used for another context later
            _set_daemon(self, jconf)
            choose_socket_folder(self, jconf)
            wait_for_hdfs(self, jconf)
            show_hdfs_retries(self)
            return initialize(self, jconf)

    SparkContext._initialize_context = with_daemon  # type: ignore[method-assign]


def _set_daemon(sc: SparkContext, jconf: Any) -> None:
    """Name our daemon to workers that have this package when they start, and only to those."""
    if jconf.get(DAEMON, MODULE) != MODULE:
        return  # the user has a daemon of his own
    master = jconf.get("spark.master")
    files = jconf.get("spark.submit.pyFiles", "").split(",")
    if is_local(master):
        path = _local_path(sc)
    elif any(name.rsplit("/", 1)[-1] == PACKAGE for name in files):
        path = PACKAGE  # executors copy it to where they run, before their first task
    else:
        return
    jconf.set(DAEMON, MODULE)
    # executors that have no such folder ignore it
    start = str(Path(__file__).resolve().parents[1] / "python_start")
    paths = [entry for entry in (sc.environment.get(_PATH), path, start) if entry]
    sc.environment = {**sc.environment, _PATH: os.pathsep.join(paths)}


def _local_path(sc: SparkContext) -> str:
    """Return a path with this package, and with nothing else, for as long as the JVM lives."""
    package = Path(__file__).resolve().parents[1]
    if not package.is_dir():
        return str(package.parent)  # a zip, which spark-submit was given
    utils = getattr(sc._jvm, "org.apache.spark.util.Utils")
    folder = utils.createTempDir(tempfile.gettempdir(), "dstream-compat").getAbsolutePath()
    Path(folder, package.name).symlink_to(package)  # with its compiled modules
    return str(folder)


def prepare_for_state(sc: SparkContext) -> None:
    """Let the daemon of workers that start from now on import what state needs: once for all.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """
    sc.environment = {**sc.environment, STATE: "1"}


def knows_local_package(sc: SparkContext) -> bool:
    """Return whether a context's workers are on this machine and find this package in a folder."""
    if not is_local(sc.master or ""):
        return False  # a folder of this machine is no folder of the executors
    paths = sc.environment.get(_PATH, "").split(os.pathsep)
    package = Path(__file__).resolve().parents[1]
    return any(Path(path, package.name).resolve() == package for path in paths if path)
