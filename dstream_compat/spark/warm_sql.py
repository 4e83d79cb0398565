"""Loads the classes of Spark SQL while a SparkContext starts, which leaves a core idle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .warm_workers import beside


@contextmanager
def sql_classes_loading(jvm: Any) -> Iterator[None]:
    """Analyze an empty plan meanwhile: the first plan of a JVM takes a second.

    The end waits for it, so that no code of users initializes the same classes at the same time.

    Parameters
    ----------
    jvm : JVMView
        of the SparkContext that starts in the block
    """

    def analyze() -> None:
        catalyst = jvm.org.apache.spark.sql.catalyst
        catalyst.analysis.SimpleAnalyzer.execute(catalyst.plans.logical.OneRowRelation())

    loading = beside("classes of Spark SQL", analyze)
    try:
        yield
    finally:
        loading.join()
