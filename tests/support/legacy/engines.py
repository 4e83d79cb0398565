"""Where each engine keeps what a test has to wait for, and how its clock is moved."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pyspark import SparkContext

from tests.support.legacy.batches import wait_for


def workers_import(folders: Sequence[Path]) -> None:
    """Let the next job's workers find its modules, as if Spark had been started beside them."""
    SparkContext._ensure_initialized()
    jvm: Any = SparkContext._jvm
    path = os.pathsep.join(map(str, folders))
    jvm.java.lang.System.setProperty("spark.executorEnv.PYTHONPATH", path)


class Real:
    """Spark's DStreams."""

    def __init__(self) -> None:
        from pyspark.streaming import DStream, StreamingContext

        # Spark 4 has no such module, which some jobs import though they read something else
        kafka = ModuleType("pyspark.streaming.kafka")
        sys.modules[kafka.__name__] = kafka
        vars(kafka)["KafkaUtils"] = None
        self.context: Any = StreamingContext
        self.stream: Any = DStream

    def received(self, ssc: Any, inputs: int) -> int:
        """Return how many records its receivers have that are in no batch yet."""
        tracker = ssc._jssc.ssc().scheduler().receiverTracker()
        field = tracker.getClass().getDeclaredField("receivedBlockTracker")
        field.setAccessible(True)
        tracker = field.get(tracker)
        found = 0
        for number in range(inputs):
            blocks = tracker.getUnallocatedBlocks(number)
            found += sum(blocks.apply(i).numRecords().get() for i in range(blocks.size()))
        return found

    def advance(self, ssc: Any, milliseconds: int) -> None:
        """Let time pass."""
        ssc._jssc.ssc().scheduler().clock().advance(milliseconds)

    def settle(self, ssc: Any, at: int) -> None:
        """Wait until a batch is in the checkpoint, which is written after its outputs."""
        folder = ssc._jssc.ssc().checkpointDir()
        if folder is not None:
            done = Path(folder.removeprefix("file:"), f"checkpoint-{at}")
            wait_for(done.exists, f"{done} is written")


class Ours:
    """The same of ours.

    Parameters
    ----------
    installed : bool
        whether jobs import ``pyspark.streaming``; migrated ones do not
    """

    def __init__(self, installed: bool) -> None:
        import dstream_compat

        if installed:
            dstream_compat.install()
        self.context: Any = dstream_compat.StreamingContext
        self.stream: Any = dstream_compat.DStream

    def received(self, ssc: Any, inputs: int) -> int:
        """Return how many records its receivers have that are in no batch yet."""
        sources = [one for one in ssc._job.sources if hasattr(one, "received")]
        return sum(int(source.received()) for source in sources)

    def advance(self, ssc: Any, milliseconds: int) -> None:
        """Let time pass."""
        ssc._clock.advance(milliseconds)

    def settle(self, ssc: Any, at: int) -> None:
        """Nothing: a checkpoint is complete when a batch is."""
