"""Starts the local Spark of tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from .clock import ManualClock

SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # with Spark's 200 a batch with state starts 200 Python workers; what it gives is the same
    "spark.sql.shuffle.partitions": "2",
}


def local_session(folder: Path | None = None) -> Any:
    """Return the active SparkSession, or a local one under a manual clock.

    Parameters
    ----------
    folder : Path, optional
        for the warehouse and for checkpoints
    """
    from pyspark.sql import SparkSession

    import dstream_compat  # noqa: F401  (before the JVM starts: it says which Python plans sources)

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = SETTINGS | ManualClock.settings
    if folder is not None:
        settings["spark.sql.warehouse.dir"] = str(folder / "warehouse")
    builder: Any = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.master("local[2]").appName("tests of jobs").getOrCreate()
