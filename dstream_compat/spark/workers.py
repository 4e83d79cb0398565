"""Lets the Python workers of a SparkContext know ``pyspark.streaming`` as this package, too.

A function of a module is pickled by its name, so workers import that module before they run
anything of ours; it may import ``pyspark.streaming.kafka``, which Spark no longer has.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .socket_folder import choose_socket_folder, is_local

if TYPE_CHECKING:
    from pyspark import SparkContext

DAEMON: Final = "spark.python.daemon.module"
MODULE: Final = "dstream_compat.daemon"

_PATH: Final = "PYTHONPATH"
PACKAGE: Final = "dstream_compat.zip"
"""What `submit` gives to --py-files."""


def install_in_workers() -> None:
    """Let the workers of all SparkContexts created from now on begin with ``install()``.

    Their sockets get paths that are short enough.
    """
    from pyspark import SparkContext

    # Its settings are complete here, with those of the JVM, of files and of the script.
    initialize = SparkContext._initialize_context

    @functools.wraps(initialize)
    def with_daemon(self: SparkContext, jconf: Any) -> Any:
        jconf = jconf.clone()  # it may be of a SparkConf that is used for another context later
        _set_daemon(self, jconf)
        choose_socket_folder(self, jconf)
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
    given = sc.environment.get(_PATH)
    path = f"{given}{os.pathsep}{path}" if given else path
    sc.environment = {**sc.environment, _PATH: path}


def _local_path(sc: SparkContext) -> str:
    """Return the path of this package, and of nothing else, for as long as the JVM lives."""
    from .shipping import package_zip

    home = Path(__file__).resolve().parents[2]
    if not home.is_dir():
        return str(home)  # spark-submit was given it
    utils = getattr(sc._jvm, "org.apache.spark.util.Utils")
    folder = utils.createTempDir(tempfile.gettempdir(), "dstream-compat").getAbsolutePath()
    return shutil.copy(package_zip(), folder)
