"""Loads the classes of Spark SQL while a core is idle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark import SparkContext

from .sessions import new_java_session
from .warm_workers import beside


@contextmanager
def sql_classes_loading(jvm: Any) -> Iterator[None]:
    """Analyze an empty plan while a SparkContext starts: the first plan of a JVM takes a second.

    Parameters
    ----------
    jvm : JVMView
        of the SparkContext that starts in the block
    """

    def analyze() -> None:
        catalyst = jvm.org.apache.spark.sql.catalyst
        catalyst.analysis.SimpleAnalyzer.execute(catalyst.plans.logical.OneRowRelation())

    with _load_beside("classes of Spark SQL", analyze):
        yield


@contextmanager
def query_classes_loading(sc: SparkContext) -> Iterator[None]:
    """Define a streaming query that never starts, while the first Python worker does.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """

    def define() -> None:
        jvm: Any = sc._jvm
        gateway: Any = sc._gateway
        session = new_java_session(sc)
        session.range(0, 1, 1, 1).select("id", gateway.new_array(jvm.String, 0))
        rows = session.readStream().format("rate-micro-batch").option("rowsPerBatch", 1).load()
        rows.writeStream().outputMode("append")

    with _load_beside("classes of streaming queries", define):
        yield


@contextmanager
def _load_beside(what: str, load: Callable[[], None]) -> Iterator[None]:
    """Load classes beside the block.

    The end waits for it, so that no code of users initializes the same classes at the same time.
    """
    thread = beside(what, load)
    try:
        yield
    finally:
        thread.join()
