"""Private names of Spark's contexts and streams that programs use: they work, or say why not."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Final

from py4j.java_gateway import java_import
from pyspark import RDD, SparkContext

from ..job import active
from ..names.refusals import Refused

_NO_CONTEXT: Final = "there is no JVM StreamingContext behind this one"
_NO_STREAM: Final = "there is no JVM DStream behind this stream"
_REAL_RDDS: Final = "Use transform() or foreachRDD(), whose RDDs are real (rdd._jrdd works)"


class _Active:
    """The active context, for the class and for its objects."""

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        return active.get()


class PrivateContextNames:
    """Private names of Spark's StreamingContext, besides ``_sc`` and ``_jvm``."""

    _sc: SparkContext
    _jvm: Any

    _activeContext = _Active()
    _jssc = Refused(
        "StreamingContext._jssc",
        _NO_CONTEXT,
        "ssc._sc, ssc._jvm and ssc.sparkContext._jvm work",
    )
    _initialize_context = Refused(
        "StreamingContext._initialize_context",
        _NO_CONTEXT,
        "StreamingContext(sc, seconds) makes one",
    )
    _transformerSerializer = Refused(
        "StreamingContext._transformerSerializer",
        "no function is handed to the JVM",
        "Functions of a checkpoint are saved with pyspark.cloudpickle",
    )

    @classmethod
    def _ensure_initialized(cls) -> None:
        SparkContext._ensure_initialized()
        gateway = SparkContext._gateway
        assert gateway is not None
        for package in ("", "api.java.", "api.python."):
            java_import(gateway.jvm, f"org.apache.spark.streaming.{package}*")

    def _jduration(self, seconds: float) -> Any:
        return self._jvm.org.apache.spark.streaming.Duration(int(seconds * 1000))

    def _check_serializers(self, rdds: list[RDD[Any]]) -> None:
        if len({rdd._jrdd_deserializer for rdd in rdds}) > 1:
            rdds[:] = [rdd._reserialize() for rdd in rdds]


class PrivateStreamNames:
    """Private names of Spark's DStream, besides ``_sc``, ``_ssc`` and ``_slideDuration``."""

    _sc: SparkContext

    _jdstream = Refused("DStream._jdstream", _NO_STREAM, _REAL_RDDS)
    _jrdd_deserializer = Refused(
        "DStream._jrdd_deserializer",
        _NO_STREAM,
        "Its RDDs in transform() or foreachRDD() have one each: rdd._jrdd_deserializer",
    )

    def _jtime(self, timestamp: datetime | float) -> Any:
        if isinstance(timestamp, datetime):
            timestamp = time.mktime(timestamp.timetuple())  # whole seconds, as Spark has it
        jvm: Any = self._sc._jvm
        return jvm.org.apache.spark.streaming.Time(int(timestamp * 1000))


JVM_STREAM: Final = Refused("TransformedDStream._jdstream_val", _NO_STREAM, _REAL_RDDS)
