"""The temporary folder of a query without a checkpoint folder."""

from __future__ import annotations

import tempfile
import uuid
from typing import Any, Final

from pyspark import SparkContext

from .files import join

_PREFIX: Final = "dstream-compat"


def temporary_folder(sc: SparkContext) -> str:
    """Return where a query without a checkpoint folder keeps its own; executors write there."""
    jsc: Any = sc._jsc
    shared = jsc.sc().getCheckpointDir()
    if shared.isDefined():
        return join(shared.get(), f"{_PREFIX}-{uuid.uuid4().hex}")
    default = jsc.hadoopConfiguration().get("fs.defaultFS", "file:///")
    if default.startswith("file:"):
        return "file://" + tempfile.mkdtemp(prefix=f"{_PREFIX}-")
    return join(default, "tmp", f"{_PREFIX}-{uuid.uuid4().hex}")
