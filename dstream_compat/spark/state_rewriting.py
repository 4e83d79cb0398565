"""Spark's rewriting of a query's state, which its own offline repartitioning uses (since 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from ..exceptions import CheckpointError
from .java import java_class

_REWRITER: Final = "org.apache.spark.sql.execution.streaming.state.StateRewriter"


def require_rewriting(sc: SparkContext) -> None:
    """Check that this Spark can rewrite state.

    Raises
    ------
    CheckpointError
        if it cannot
    """
    try:
        java_class(sc, "java.lang.Class").forName(_REWRITER)
    except Py4JError as error:
        raise CheckpointError(
            f"Spark {sc.version} cannot write state outside of a query: Spark 4.2 and later can. "
            "Nothing was changed"
        ) from error


class _Function:
    """A Python function of DataFrames as one of Scala."""

    def __init__(self, session: SparkSession, function: Callable[[DataFrame], DataFrame]) -> None:
        self._session = session
        self._function = function

    def apply(self, frame: Any) -> Any:
        """Call it."""
        return self._function(DataFrame(frame, self._session))._jdf

    class Java:
        """The Scala trait that this object stands for."""

        implements = ("scala.Function1",)


def rewrite_state(
    session: SparkSession,
    source: str,
    target: str,
    batch: int,
    change: Callable[[DataFrame], DataFrame],
) -> None:
    """Write the state as of a micro-batch to another checkpoint of the same query.

    Parameters
    ----------
    session : SparkSession
        with the query's settings
    source, target : str
        Spark's checkpoint folders; the target has all but the state
    batch : int
        the number of the micro-batch, the same in both
    change : callable
        gets the rows of each operator (partition_key, key_bytes, value_bytes, column_family_name);
        partition i of its result becomes partition i of the state

    Raises
    ------
    CheckpointError
        if the state has identifiers of versions, which the log of commits would have to name
    """
    from pyspark.java_gateway import ensure_callback_server_started

    sc = session.sparkContext
    ensure_callback_server_started(sc._gateway)  # type: ignore[no-untyped-call]
    # makes the coordinator of states, which Spark 4.2 makes with a session's first query only
    session._jsparkSession.streams()
    configuration = sc._jsc.hadoopConfiguration()
    option = java_class(sc, "scala.Option")

    def qualified_path(folder: str) -> str:
        path = java_class(sc, "org.apache.hadoop.fs.Path")(folder)
        return str(path.getFileSystem(configuration).makeQualified(path).toString())

    rewriter = java_class(sc, _REWRITER)(
        session._jsparkSession,
        batch,
        batch,
        qualified_path(target),
        configuration,
        option.apply(qualified_path(source)),
        option.apply(_Function(session, change)),
        option.empty(),
    )
    if rewriter.run().isDefined():
        raise CheckpointError(
            f"{source} stores state with version identifiers "
            "(spark.sql.streaming.stateStore.checkpointFormatVersion=2), which cannot be rescaled. "
            "Nothing was changed"
        )
