"""The temporary folder of a query without a checkpoint folder."""

from __future__ import annotations

import tempfile
import uuid
from typing import Any, Final

from pyspark import SparkContext

from ..spark.java import java_class
from .files import join

_PREFIX: Final = "dstream-compat"


def temporary_folder(sc: SparkContext) -> str:
    """Make the folder of a query without a checkpoint folder, where executors write, too.

    Nobody but the user of the job may list it or read what is in it.
    """
    jsc: Any = sc._jsc
    configuration = jsc.hadoopConfiguration()
    shared = jsc.sc().getCheckpointDir()
    default = configuration.get("fs.defaultFS", "file:///")
    if not shared.isDefined() and default.startswith("file:"):
        return "file://" + tempfile.mkdtemp(prefix=f"{_PREFIX}-")
    parent = shared.get() if shared.isDefined() else join(default, "tmp")
    folder = join(parent, f"{_PREFIX}-{uuid.uuid4().hex}")
    path = java_class(sc, "org.apache.hadoop.fs.Path")(folder)
    mode = java_class(sc, "org.apache.hadoop.fs.permission.FsPermission")("700")
    files = path.getFileSystem(configuration)
    # HDFS would give the mode to the folders above, too, if they are not there
    if not (files.mkdirs(path.getParent()) and files.mkdirs(path, mode)):
        raise OSError(f"the temporary folder {folder} could not be made")
    return folder
