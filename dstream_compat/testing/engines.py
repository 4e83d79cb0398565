"""The two engines that run DStreams, Spark's and this package's, seen by who drives them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class SparkEngine:
    """Spark's DStreams."""

    def __init__(self) -> None:
        from pyspark.streaming import DStream, StreamingContext

        for name, utils in (
            ("kafka", "KafkaUtils"),
            ("mqtt", "MQTTUtils"),
            ("flume", "FlumeUtils"),
        ):
            # Spark 4 has no such modules, which some jobs import though they read something else
            stand_in = ModuleType(f"pyspark.streaming.{name}")
            module = sys.modules.setdefault(stand_in.__name__, stand_in)
            vars(module).setdefault(utils, None)
        self.context: Any = StreamingContext
        self.stream: Any = DStream

    def with_time(self, function: Any, operator: str) -> Callable[[Any, Any], Any]:
        """Return a function of a time and an RDD; what has no code fails, as with Spark."""
        if function.__code__.co_argcount == 1:
            return functools.partial(_of_rdd, function)
        return function  # type: ignore[no-any-return]

    def advance(self, ssc: Any, milliseconds: int) -> None:
        """Let time pass."""
        ssc._jssc.ssc().scheduler().clock().advance(milliseconds)

    def check(self, ssc: Any) -> None:
        """Raise the error of a batch, if there was one."""
        ssc.awaitTerminationOrTimeout(0.001)

    def checkpoint_folder(self, ssc: Any) -> str | None:
        """Return where batches leave a checkpoint, which is written after their outputs."""
        folder: str | None = ssc._jssc.ssc().checkpointDir()
        return folder

    def count_received(self, ssc: Any, inputs: int) -> int:
        """Return how many records the receivers have that are in no batch yet."""
        tracker = ssc._jssc.ssc().scheduler().receiverTracker()
        field = tracker.getClass().getDeclaredField("receivedBlockTracker")
        field.setAccessible(True)
        tracker = field.get(tracker)
        records = 0
        for number in range(inputs):
            blocks = tracker.getUnallocatedBlocks(number)
            records += sum(blocks.apply(i).numRecords().get() for i in range(blocks.size()))
        return records


class CompatEngine:
    """This package.

    Parameters
    ----------
    installed : bool
        whether jobs import ``pyspark.streaming``; migrated ones do not
    """

    def __init__(self, installed: bool = True) -> None:
        import dstream_compat

        if installed:
            dstream_compat.install()
        self.context: Any = dstream_compat.StreamingContext
        self.stream: Any = dstream_compat.DStream

    def with_time(self, function: Any, operator: str) -> Callable[[Any, Any], Any]:
        """Return a function of a time and an RDD, made of one that the job gave."""
        from ..api.arity import with_time

        return with_time(function, operator)

    def advance(self, ssc: Any, milliseconds: int) -> None:
        """Let time pass."""
        ssc._clock.advance(milliseconds)

    def check(self, ssc: Any) -> None:
        """Raise the error of a batch, if there was one."""
        ssc.awaitTerminationOrTimeout(0.001)

    def checkpoint_folder(self, ssc: Any) -> str | None:
        """Return None: a checkpoint is complete when a batch is."""
        return None

    def count_received(self, ssc: Any, inputs: int) -> int:
        """Return how many records the receivers have that are in no batch yet."""
        receivers = [
            receiver for receiver in ssc._job.inputs if hasattr(receiver, "count_received")
        ]
        return sum(int(receiver.count_received()) for receiver in receivers)


Engine = SparkEngine | CompatEngine


def two_arguments(work: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a function that shows how many arguments it takes, as Spark asks it."""

    def function(time: Any, rdd: Any) -> Any:
        return work(time, rdd)

    return function


def _of_rdd(function: Callable[[Any], Any], time: Any, rdd: Any) -> Any:
    return function(rdd)


def connector_owners(engine: Engine) -> tuple[Any, ...]:
    """Return the classes and modules in which an engine has its connectors."""
    if isinstance(engine, CompatEngine):
        from ..kafka import KafkaUtils
        from ..kinesis import KinesisUtils
        from ..mqtt import MQTTUtils

        return KafkaUtils, KinesisUtils, MQTTUtils
    from pyspark.streaming.kinesis import KinesisUtils as Sparks

    return Sparks, *(sys.modules[f"pyspark.streaming.{name}"] for name in ("kafka", "mqtt"))
