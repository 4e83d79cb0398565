"""A job whose function has captured a broadcast variable or an accumulator, and its recovery.

Arguments: engine (real or ours), checkpoint folder, what is captured, last batch (seconds).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pyspark.streaming as real
from pyspark import SparkConf, SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals

ENGINE: Any = {"real": real, "ours": ours}[sys.argv[1]]


def told(at: datetime, say: Callable[[], str]) -> None:
    try:
        print(say(), flush=True)
    except Exception as error:  # the context's error may be that of a later output
        print(at, error, file=sys.stderr, flush=True)
        totals.failed.append(at.timestamp())
        raise


def show(at: datetime, rdd: Any) -> None:
    told(at, lambda: f"batch {at.timestamp():.0f}: {rdd.collect()}")


def setup() -> Any:
    print("setup was called", flush=True)
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    sc = SparkContext(conf=conf.set("spark.log.level", "OFF"))
    ssc = ENGINE.StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[2])
    # no queue: DStreams cannot recover one
    lines = ssc.textFileStream(f"{sys.argv[2]}-in")
    captured: Any
    if sys.argv[3] == "broadcast":
        captured = sc.broadcast({"a": 1})
        values = lines.map(lambda line: captured.value[line])
    else:
        captured = sc.accumulator(0)

        def count(line: str) -> str:
            captured.add(1)
            return line

        values = lines.map(count)
    values.foreachRDD(show)
    if sys.argv[3] == "accumulator":
        lines.foreachRDD(lambda at, _: told(at, lambda: f"counted {captured.value}"))
    lines.foreachRDD(totals.done)
    return ssc


def main() -> None:
    ssc = ENGINE.StreamingContext.getOrCreate(sys.argv[2], setup)
    ssc.sparkContext.pythonExec = sys.executable  # DStreams take any python3 of the PATH
    print("recovered", flush=True)
    ssc.start()
    clock = ManualClock(ssc)
    last = int(sys.argv[4])
    for second in range(last - 1, last + 1):
        clock.advance(1)
        while not totals.wait(second, 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    if totals.failed:
        ssc.awaitTerminationOrTimeout(60)  # raises what is told a moment after the batch
    ssc.stop()
    print("stopped", flush=True)


if __name__ == "__main__":
    main()
