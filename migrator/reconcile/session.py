"""The Spark of a comparison, in this process."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from migrator.errors import MigrateError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MIB = 2**20


@contextmanager
def local_session(settings: dict[str, str], memory: int) -> Iterator[SparkSession]:
    """Start Spark on this machine, and stop it afterwards; what does not fit is put on disk.

    Parameters
    ----------
    settings : dict of str
        Of Spark, beside those that a comparison needs.
    memory : int
        Bytes of its JVM.

    Raises
    ------
    MigrateError
        If Spark cannot be started.
    """
    from pyspark.sql import SparkSession

    own = {
        "spark.master": "local[*]",
        "spark.app.name": "migrate reconcile",
        "spark.driver.memory": f"{max(memory // _MIB, 1)}m",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        "spark.log.level": "ERROR",
        # caches keep them; what does not fit into a task is put on disk
        "spark.sql.shuffle.partitions": "32",
        # times of both sides are read alike
        "spark.sql.session.timeZone": "UTC",
    }
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder
    for name, value in {**own, **settings}.items():
        builder = builder.config(name, value)
    try:
        with _signals_held_back():
            spark = builder.getOrCreate()
    except Exception as error:
        text = str(error).strip().partition("\n")[0]
        raise MigrateError(f"Spark cannot be started: {text}; it needs Java 17 or later") from error
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait: PySpark leaves a JVM behind that was interrupted as it began."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def keep(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {each: signal.signal(each, keep) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            # Spark has one of its own for Ctrl-C
            if signal.getsignal(each) is keep:
                signal.signal(each, handler)
    for number in came:
        signal.raise_signal(number)
