"""Settings of the SparkContext that all tests share, for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark import SparkContext


@contextmanager
def setting(sc: SparkContext, name: str, value: str) -> Iterator[None]:
    """Set a setting that contexts read when they start, for a while."""
    before = sc._conf.get(name)
    sc._conf.set(name, value)
    try:
        yield
    finally:
        if before is None:
            sc._conf._jconf.remove(name)  # type: ignore[union-attr]
        else:
            sc._conf.set(name, before)
