"""A job that begins with a state of DStreams; it is killed when a task has read a pair of that.

Arguments: checkpoint folder, the old one, input folder, and whether its input is "rows" of a
DataFrame or "lines" of files.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.core.rdd import portable_hash
from pyspark.sql import SparkSession

from dstream_compat import DStream, StateSpec, StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals


def track(key: str, value: int, state: Any) -> None:
    state.update((state.getOption() or 0) + value)


def write(time: datetime, rdd: Any) -> None:
    print(f"batch {time.timestamp():.0f}: {dict(sorted(rdd.collect()))}", flush=True)
    totals.done(time, rdd)


def setup() -> StreamingContext:
    folder, old, place, kind = sys.argv[1:]
    sc, driver, killed = SparkContext.getOrCreate(), os.getpid(), Path(folder).with_name("killed")

    def partition_of(key: str) -> int:
        if not killed.exists():
            killed.touch()
            os.kill(driver, signal.SIGKILL)
        return portable_hash(key)

    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(folder)
    if kind == "rows":
        rows = SparkSession(sc).readStream.schema("line string").text(place)
        lines = DStream.from_dataframe(rows, ssc).map(lambda row: row.line)
    else:
        lines = ssc.textFileStream(place)
    pairs = lines.flatMap(str.split).map(lambda word: (word, 1))
    # what the first process has read of rows is not looked for again
    initial = [] if kind == "rows" and killed.exists() else f"checkpoint:{old}#1"
    spec = StateSpec.function(track).initialState(initial)
    pairs.mapWithState(spec.partitioner(3, partition_of)).stateSnapshots().foreachRDD(write)
    return ssc


def main() -> None:
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.streaming.compat.rebuildGraph", "true")  # rows are in no checkpoint
    SparkContext(conf=conf.set("spark.log.level", "OFF"))
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.start()
    ManualClock(ssc).advance_to(1)
    while not totals.wait(1.0, 0.2):
        ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()


if __name__ == "__main__":
    main()
