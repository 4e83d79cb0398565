"""Lets outputs save to folders that exist, as with DStreams.

Decision 0057: Functions of the driver may overwrite existing output.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from py4j.clientserver import ClientServer
from pyspark import SparkContext

from ..spark.java import java_class

_UTILS: Final = "org.apache.spark.internal.io.SparkHadoopWriterUtils"


@contextmanager
def allow_overwriting(sc: SparkContext) -> Iterator[None]:
    """Let ``rdd.saveAsTextFile`` and its like write over what is there, in this thread.

    Mirrors ``spark.hadoop.validateOutputSpecs``, which a streaming context ignores: a batch that
    runs again would fail because of what it wrote before.
    """
    if not isinstance(sc._gateway, ClientServer):
        # Without PYSPARK_PIN_THREAD a thread of Python has no thread of the JVM of its own, and the
        # switch might stay on in another one.
        yield
        return
    unchecked: Any = java_class(sc, _UTILS).disableOutputSpecValidation()
    change = getattr(unchecked, "value_$eq")
    before = unchecked.value()
    change(True)
    try:
        yield
    finally:
        change(before)
