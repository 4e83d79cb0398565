"""The job whose checkpoints are kept for each release; any release from 0.2.0 on can run it.

Arguments: checkpoint folder, and the last batch time (seconds). Run as a file, its functions are
saved with their byte code; run as a module that is imported, by name.
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StateSpec, StreamingContext
from tests.support.streaming.jobs import released_log

BATCHES = [
    [("a", 1), ("b", 2), ("c", 3)],
    [("a", 10), ("d", 4)],
    [("b", 20)],
    [("a", 100), ("é", 5)],
    [],
    [("c", 30), ("e", 6)],
    [("a", 1000)],
    [("f", 7)],
]
WINDOW = 5
TIMEOUT = 2


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def track(key: str, value: int | None, state: Any) -> tuple[str, int]:
    if state.isTimingOut():
        return key, -state.get()
    state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def set_up(folder: str) -> StreamingContext:
    print("set up", flush=True)
    conf = SparkConf().setMaster("local[1]").setAppName("released")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.streaming.compat.partitions", "2")
    ssc = StreamingContext(SparkContext.getOrCreate(conf), 1)
    ssc.checkpoint(folder)
    pairs = ssc.queueStream(BATCHES)
    pairs.updateStateByKey(total, 2).foreachRDD(released_log.save_totals)
    windows = pairs.reduceByKeyAndWindow(add, subtract, WINDOW, 1, 2)
    windows.foreachRDD(released_log.save_windows)
    spec = StateSpec.function(track).numPartitions(2).timeout(TIMEOUT)
    pairs.mapWithState(spec).foreachRDD(released_log.save_tracked)
    return ssc


def main() -> None:
    folder, last = sys.argv[1], int(sys.argv[2])
    ssc = StreamingContext.getOrCreate(folder, lambda: set_up(folder))
    ssc.start()
    released_log.advance(ssc, last)
    ssc.stop()


if __name__ == "__main__":
    main()
