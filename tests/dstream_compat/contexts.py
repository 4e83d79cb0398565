"""Contexts of the tests of life cycles: made by a fixture, which stops what a test left running."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark import SparkContext

from dstream_compat import StreamingContext

MakeContext = Callable[[], StreamingContext]


def advance(ssc: StreamingContext, intervals: int = 1) -> None:
    """Let intervals of one second pass."""
    clock: Any = ssc._clock
    clock.advance(intervals * 1000)


@contextmanager
def setting(sc: SparkContext, name: str, value: str) -> Iterator[None]:
    """Set a setting that contexts read when they start, for a while."""
    assert sc._conf.get(name) is None
    sc._conf.set(name, value)
    try:
        yield
    finally:
        sc._conf._jconf.remove(name)  # type: ignore[union-attr]


@contextmanager
def without_checkpoint_directory(sc: SparkContext) -> Iterator[None]:
    """Take the folder away that all tests share."""
    spark, jvm = sc._jsc.sc(), sc._jvm
    assert jvm is not None
    folder = spark.checkpointDir()
    set_folder = getattr(spark, "checkpointDir_$eq")
    set_folder(jvm.scala.Option.empty())
    try:
        yield
    finally:
        set_folder(folder)
