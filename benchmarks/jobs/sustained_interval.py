"""The smallest batch interval at which small batches do not fall behind."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..harness.feed import Feed
from ..harness.figures import DSTREAMS, OURS, Measured
from ..harness.job import Job, Measure, Place, Scale, Session
from ..harness.spark import DEADLINE, new_folder, spark_context, streaming_context
from .small_stateful import running_count
from .small_stateless import lines, word_count

INTERVALS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0)
WORDS = sum(len(line.split(" ")) for line in lines(0))
BUILD = {"stateless": word_count, "stateful": running_count}


def smallest(intervals: Sequence[float], sustained: Callable[[float], bool]) -> float:
    """Return the smallest interval that is sustained, if all above it are.

    Raises
    ------
    ValueError
        if not even the largest is
    """
    low, high = 0, len(intervals)
    while low < high:
        middle = (low + high) // 2
        if sustained(intervals[middle]):
            high = middle
        else:
            low = middle + 1
    if high == len(intervals):
        raise ValueError(f"no interval up to {intervals[-1]:g} s is sustained")
    return intervals[high]


def grows(delays: Sequence[float], interval: float) -> bool:
    """Return whether batches fall behind: by half an interval from the first third to the last."""
    third = len(delays) // 3
    early, late = statistics.median(delays[:third]), statistics.median(delays[-third:])
    return late > early + interval / 2


class Trial:
    """A job at one interval, fed with one file each interval.

    Parameters
    ----------
    place : Place
        where it runs
    sc : SparkContext
        its context
    measure : str
        ``stateless`` or ``stateful``
    feed : Feed
        its input
    interval : float
        seconds
    """

    def __init__(self, place: Place, sc: Any, measure: str, feed: Feed, interval: float) -> None:
        self._stateful = measure == "stateful"
        self._feed = feed
        self._interval = interval
        self._delays: list[float] = []
        self._words = 0
        self._error: Exception | None = None
        self._changed = threading.Condition()
        self._ssc = streaming_context(place, sc, interval)
        BUILD[measure](self._ssc.textFileStream(str(feed.folder))).foreachRDD(self._note)

    def _note(self, due: Any, rdd: Any) -> None:
        try:
            words = sum(count for _, count in rdd.collect())
        except Exception as error:
            self._error = error
            words = 0
        with self._changed:
            self._delays.append(time.time() - due.timestamp())
            self._words = words if self._stateful else self._words + words
            self._changed.notify_all()

    def _wait(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._error or condition(), DEADLINE):
                raise TimeoutError(f"{self._words} words after {DEADLINE:.0f} s")
        if self._error is not None:
            raise self._error

    def sustained(self, seconds: float) -> bool:
        """Run it for some seconds; returns whether its delay has not grown."""
        self._ssc.start()
        self._wait(lambda: bool(self._delays))
        fed = 0
        # some intervals until its pace is steady, then three times as many
        settle = max(seconds / 4, 3 * self._interval)
        begin = time.time() + settle
        end = begin + max(seconds, 9 * self._interval)
        counted = 0
        while (now := time.time()) < end:
            if now < begin:
                counted = len(self._delays)
            self._feed.stage(str(fed), lines(0), now)
            self._feed.release(str(fed))
            fed += 1
            time.sleep(self._interval)
        delays = self._delays[counted:]
        wanted = int((end - begin) / self._interval)
        behind = len(delays) < wanted * 2 / 3 or grows(delays, self._interval)
        if not behind:
            # what was fed is counted, all of it and once
            self._wait(lambda: self._words >= fed * WORDS)
        self._ssc.stop(stopSparkContext=False)
        if not behind and self._words != fed * WORDS:
            raise AssertionError(f"{self._words} words counted of {fed * WORDS}")
        return not behind


class SustainedSession:
    """The search on one engine.

    Parameters
    ----------
    place : Place
        where it runs
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._sc = spark_context(place, manual=False)
        self._sc.setCheckpointDir(str(new_folder(place.folder, "checkpoint")))
        self._trials = 0

    def step(self, measure: str) -> Measured:
        """Run one round of a measure."""
        found = smallest(
            self._place.scale.pick(INTERVALS[1::4], INTERVALS, INTERVALS),
            lambda interval: self._try(measure, interval),
        )
        # outputs depend on when a file is seen: each trial has compared its own with what was fed
        return Measured(len(lines(0)), {"interval": found})

    def _try(self, measure: str, interval: float) -> bool:
        self._trials += 1
        feed = Feed(self._place.folder / f"input-{self._trials}", parts=1)
        trial = Trial(self._place, self._sc, measure, feed, interval)
        return trial.sustained(self._place.scale.pick(2.0, 3.0, 10.0))


@dataclass(frozen=True)
class SustainedJob(Job):
    """The smallest sustained interval."""

    def measures(self, scale: Scale) -> list[Measure]:
        """Return what is measured, in order."""
        what = "10 lines an interval: the smallest whose delay does not grow"
        return [Measure(name, f"{what}, {name}", scale.other(), "interval") for name in BUILD]

    def open(self, place: Place) -> Session:
        """Return a session; called in the process of the engine."""
        return SustainedSession(place)


JOB = SustainedJob(
    "sustained-interval",
    "word count of 10 lines at ever smaller intervals",
    engines=(DSTREAMS, OURS),
    seconds=95,
)
