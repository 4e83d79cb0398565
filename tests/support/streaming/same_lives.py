"""Lives of the same job on both engines."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.collecting import user_error
from tests.support.streaming.differential import DEADLINE

# The clock stands at 1 s when the folder is first looked at, so windows of two slides are due at
# odd times.
BEGIN = 1


LINES = ("a b a", "b c", "", "a d", "c", "e a", "b", "", "", "a", "d d", "", "b", "f", "", "", "")


@dataclass
class Seen:
    """What the outputs of the running life had, in their order."""

    log: list[tuple[str, float, Any]] = field(default_factory=list)
    failing: set[tuple[str, float]] = field(default_factory=set)
    setups: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def note(self, name: str, at: datetime, rdd: Any) -> None:
        try:
            records = sorted(rdd.collect(), key=repr)
        except Exception as error:
            records = [user_error(str(error))]
        with self.changed:
            self.log.append((name, at.timestamp(), records))
            self.changed.notify_all()
        if (name, at.timestamp()) in self.failing:
            raise OSError("the database is down")

    def wait(self, at: float) -> None:
        with self.changed:
            assert self.changed.wait_for(
                lambda: any(seen[:2] == ("last", at) for seen in self.log), DEADLINE
            ), self.log


SEEN = Seen()


def totals(at: datetime, rdd: Any) -> None:
    SEEN.note("totals", at, rdd)


def windows(at: datetime, rdd: Any) -> None:
    SEEN.note("windows", at, rdd)


def sliding(at: datetime, rdd: Any) -> None:
    SEEN.note("sliding", at, rdd)


def inverse(at: datetime, rdd: Any) -> None:
    SEEN.note("inverse", at, rdd)


def counted(at: datetime, rdd: Any) -> None:
    SEEN.note("counted", at, rdd)


def transformed(at: datetime, rdd: Any) -> None:
    SEEN.note("transformed", at, rdd)


def last(at: datetime, rdd: Any) -> None:
    SEEN.note("last", at, rdd)


def pair(word: str) -> tuple[str, int]:
    return word, 1


def running(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def refuse(at: datetime, rdd: Any) -> Any:
    if ("transform", at.timestamp()) in SEEN.failing:
        raise LookupError("not this batch")
    return rdd.map(str.upper)


class Lives:
    """One job on one engine, which is stopped and recovered again and again."""

    def __init__(self, engine: Any, sc: SparkContext, place: Path, everything: bool) -> None:
        self.engine = engine
        self.everything = everything
        self.sc = sc
        self.folder, self.checkpoint = place / "in", str(place / "checkpoint")
        self.folder.mkdir(parents=True)
        self.ssc: Any = None
        SEEN.log, SEEN.setups = [], 0

    def setup(self) -> Any:
        SEEN.setups += 1
        ssc = self.engine.StreamingContext(self.sc, 1)
        ManualClock(ssc).advance(BEGIN)
        ssc.checkpoint(self.checkpoint)
        words = ssc.textFileStream(str(self.folder)).flatMap(str.split)
        pairs = words.map(pair)
        pairs.updateStateByKey(running).foreachRDD(totals)
        words.window(3, 2).foreachRDD(windows)
        pairs.reduceByKeyAndWindow(add, subtract, 6, 1).foreachRDD(inverse)
        if self.everything:
            pairs.reduceByKeyAndWindow(max, None, 4, 1).foreachRDD(sliding)
            words.countByWindow(5, 1).foreachRDD(counted)
            words.transform(refuse).foreachRDD(transformed)
        words.foreachRDD(last)
        return ssc

    def live(
        self, start: int, end: int, graceful: bool = False, noted: bool = False
    ) -> list[tuple[str, float, Any]]:
        """Run from one second to another and return what the outputs of this life had.

        A life whose end is ``noted`` is stopped when the checkpoint says that it has come so far.
        """
        SEEN.log = []
        for second in range(start + 1):
            self.put(second)
        self.ssc = self.engine.StreamingContext.getOrCreate(self.checkpoint, self.setup)
        clock = ManualClock(self.ssc)
        if isinstance(self.ssc, ours.StreamingContext):
            clock.advance_to(start)
        self.ssc.start()
        try:
            for second in range(start + 1, end + 1):
                self.put(second)
                clock.advance_to(second)
                if ("transform", second) not in SEEN.failing:  # cancels all outputs
                    SEEN.wait(second)
            if noted:
                self.wait_until_noted(end)
        finally:
            self.end(graceful)
        return SEEN.log

    def wait_until_noted(self, second: int) -> None:
        deadline = time.monotonic() + DEADLINE

        def late() -> None:
            assert time.monotonic() < deadline, f"{second} s was not noted"

        if isinstance(self.ssc, ours.StreamingContext):
            assert self.ssc._job is not None
            self.ssc._job.scheduler.await_committed(second * 1000, late)
            return
        pause = threading.Event()
        while not Path(self.checkpoint, f"checkpoint-{second * 1000}").exists():
            late()
            pause.wait(0.05)

    def end(self, graceful: bool) -> None:
        if not graceful:
            self.ssc.stop(stopSparkContext=False)
            return
        clock = ManualClock(self.ssc)
        stopping = threading.Thread(target=self.ssc.stop, args=(False, True))
        stopping.start()
        # A graceful stop of DStreams ends at an interval, to which the clock has to come.
        while stopping.is_alive():
            self.put(int(clock.now()) + 1)
            clock.advance(1)
            stopping.join(0.2)

    def put(self, second: int) -> None:
        path, line = self.folder / f"part-{second}", LINES[second % len(LINES)]
        if line and not path.exists():
            draft = self.folder.parent / "draft"
            draft.write_text(f"{line}\n")
            os.utime(draft, (second, second))
            draft.rename(path)


def contents(lives: list[list[tuple[str, float, Any]]]) -> dict[tuple[str, float], Any]:
    """Return what each output had; one that ran more than once must have had the same."""
    found: dict[tuple[str, float], list[Any]] = defaultdict(list)
    for log in lives:
        for name, at, records in log:
            found[name, at].append(records)
    for batch, seen in found.items():
        assert all(records == seen[0] for records in seen), (batch, seen)
    return {batch: seen[0] for batch, seen in found.items()}


def without_zeros(records: list[Any]) -> list[Any]:
    return [
        record for record in records if (record[1] if isinstance(record, tuple) else record) != 0
    ]


def same(found: list[dict[tuple[str, float], Any]]) -> bool:
    """Return whether both engines had the same.

    A recovered job of PySpark has lost its inverse functions, so what is zero vanishes there.
    """
    real_ones, our_ones = (
        {
            (name, at): without_zeros(records) if name in ("inverse", "counted") else records
            for (name, at), records in batches.items()
        }
        for batches in found
    )
    assert our_ones == real_ones
    return True
