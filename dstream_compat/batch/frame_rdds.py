"""RDDs of the frames of micro-batches, without planning a query for each."""

from __future__ import annotations

from typing import Any, Final

from pyspark import SparkContext

from ..spark.java import java_class

_ENCODER: Final = "org.apache.spark.sql.catalyst.encoders.ExpressionEncoder"


class FrameRDDs:
    """Turns the DataFrames of micro-batches into RDDs of frames.

    ``Dataset.as(BINARY).toJavaRDD()`` does that too, and plans two queries for each micro-batch,
    which took a third of the time of a small one. Its encoder is all that is needed of them.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """

    def __init__(self, sc: SparkContext) -> None:
        self._sc = sc
        self._decoder: Any = None
        self._level = java_class(sc, "org.apache.spark.storage.StorageLevel").MEMORY_AND_DISK()
        array = java_class(sc, "java.lang.Class").forName("[B")
        self._tag = java_class(sc, "scala.reflect.ClassTag").apply(array)

    def persisted(self, frame: Any) -> Any:
        """Return a micro-batch's DataFrame (a Java object) as a persisted RDD of byte arrays.

        Parameters
        ----------
        frame : JavaObject
            its first column is binary
        """
        plan = frame.queryExecution().logical()
        if self._decoder is None:
            binary = java_class(self._sc, "org.apache.spark.sql.Encoders").BINARY()
            encoders = java_class(self._sc, _ENCODER)
            analyzer = frame.sparkSession().sessionState().analyzer()
            bound = encoders.apply(binary).resolveAndBind(plan.output().take(1), analyzer)
            self._decoder = bound.createDeserializer()
        return plan.rdd().map(self._decoder, self._tag).toJavaRDD().persist(self._level)
