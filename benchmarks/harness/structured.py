"""Runs jobs that are written by hand in Structured Streaming."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from .batches import COLLECT, COUNT, BatchJob, ByHand, Driver, Latencies
from .compare import digest, rdd_digest
from .feed import Feed
from .job import Place
from .processes import tree_cpu
from .spark import DEADLINE, spark_context

INTERVAL = 1.0


class StructuredDriver(Driver):
    """A query with ``foreachBatch`` over one file a batch, or another source.

    Parameters
    ----------
    job : BatchJob
        the job
    place : Place
        where it runs
    """

    def __init__(self, job: BatchJob, place: Place) -> None:
        from pyspark.sql import SparkSession

        super().__init__(job, place)
        assert job.by_hand is not None
        self._by_hand: ByHand = job.by_hand
        self.lag = self._by_hand.lag
        self._spark = SparkSession(spark_context(place))
        self._queries = 0
        self._go = threading.Semaphore(0)
        self._feed = self._new_feed()
        self._query: Any = self._start(self._batch, {})

    def stage(self, number: int, lines: Sequence[str]) -> None:
        """Have the input of a batch ready."""
        if self._by_hand.read is None:
            self._feed.stage(str(number), lines, number + 0.5)

    def run(self, number: int) -> Any:
        """Let a batch run; returns what its output found."""
        if self._by_hand.read is None:
            self._feed.release(str(number))
        if number > self.lag:
            self._go.release()
        if number < self.lag:
            self._query.processAllAvailable()
            return []
        return self.output.wait(self._alive)

    def latencies(self, batches: list[list[str]], warm: int, idle: int) -> Latencies:
        """Run batches by the system's clock, one a second; the first ones are not measured."""
        if self._query is not None:
            self._go.release()
            self._query.stop()
            self._query = None
        self._feed = self._new_feed()
        ended: list[tuple[float, Any]] = []
        changed = threading.Condition()

        def note(frame: Any, number: int) -> None:
            found = self._made(frame, number).collect()
            with changed:
                ended.append((time.time(), found))
                changed.notify_all()

        query = self._start(note, {"processingTime": f"{INTERVAL:g} seconds"})
        due = []
        for number, lines in enumerate(batches):
            # in the middle of an interval, for the next trigger
            middle = (time.time() - INTERVAL / 2) // INTERVAL * INTERVAL + 1.5 * INTERVAL
            time.sleep(max(0.0, middle - time.time()))
            due.append(middle + INTERVAL / 2)
            self._feed.stage(str(number), lines, middle)
            self._feed.release(str(number))
            with changed:
                if not changed.wait_for(lambda: len(ended) == len(due), DEADLINE):
                    raise TimeoutError(f"a batch did not end in {DEADLINE:.0f} s")
        cpu = tree_cpu()
        time.sleep(idle * INTERVAL)
        used = (tree_cpu() - cpu) / idle
        query.stop()
        seconds = [end - one for (end, _), one in zip(ended, due, strict=True)]
        return Latencies(seconds[warm:], [found for _, found in ended], used)

    def records(self, found: Any) -> Iterable[Any]:
        """Return the records that an output has collected."""
        return (tuple(row) for row in found)

    def _alive(self) -> None:
        if (error := self._query.exception()) is not None:
            raise error

    def _new_feed(self) -> Feed:
        return Feed(self.place.folder / f"input-{self._queries}", parts=1)

    def _start(self, batch: Any, trigger: dict[str, str]) -> Any:
        if self._by_hand.read is not None:
            source = self._by_hand.read(self._spark, self.place)
        else:
            source = self._spark.readStream.text(str(self._feed.folder))
        writer = self._by_hand.stream(source).writeStream.foreachBatch(batch)
        folder = self.place.folder / f"query-{self._queries}"
        self._queries += 1
        writer = writer.outputMode(self._by_hand.mode).option("checkpointLocation", str(folder))
        return (writer.trigger(**trigger) if trigger else writer).start()

    def _made(self, frame: Any, number: int) -> Any:
        """Return what the job makes of a micro-batch."""
        if self._by_hand.code is None:
            return self._by_hand.batch(frame)
        return self._by_hand.code(frame, number, str(self.place.folder / "states"))

    def _batch(self, frame: Any, number: int) -> None:
        try:
            found = self._act(self._made(frame, number))
        except Exception as error:
            found = error
        if self.lag and not found:
            return  # no window is complete
        self.output.note(found)
        # the next micro-batch begins when its turn has come
        self._go.acquire()

    def _act(self, frame: Any) -> Any:
        if self.output.action == COUNT:
            return frame.count()
        if self.job.action == COLLECT:
            return frame.collect()
        if self._by_hand.code is not None:
            return rdd_digest(frame)
        columns = [column.to_pylist() for column in frame.toArrow().columns]
        return digest(zip(*columns, strict=True))
