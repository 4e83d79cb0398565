"""A job whose functions need a service that is away for a while; it ends on the first error.

Arguments: engine (real or ours), checkpoint folder, kind of job, first and last batch (seconds).
The service is away while there is a file ``away`` beside the checkpoint folder.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import Any

import pyspark.streaming as real
from pyspark import SparkConf, SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals

ENGINE: Any = {"real": real, "ours": ours}[sys.argv[1]]
AWAY = f"{os.path.dirname(sys.argv[2])}/away"


def look_up(line: str) -> str:
    if os.path.exists(AWAY):
        raise ConnectionError("the service is away")
    return line


def pair(line: str) -> tuple[str, int]:
    return line, 1


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def looked_up_total(new: list[int], old: int | None) -> int:
    look_up("")
    return total(new, old)


def difference(a: int, b: int) -> int:
    return a - b


KINDS: dict[str, Any] = {
    "map": lambda lines: lines.map(look_up),
    "state behind it": lambda lines: lines.map(look_up).map(pair).updateStateByKey(total),
    "state": lambda lines: lines.map(pair).updateStateByKey(looked_up_total),
    "window": lambda lines: (
        lines.map(look_up).map(pair).reduceByKeyAndWindow(totals.plus, difference, 5, 1)
    ),
    "second query": lambda lines: (
        lines.map(pair).transform(lambda rdd: rdd).updateStateByKey(looked_up_total)
    ),
}


def show(at: datetime, rdd: Any) -> None:
    print(f"batch {at.timestamp():.0f}: {sorted(rdd.collect())}", flush=True)
    totals.done(at, rdd)


def setup() -> Any:
    print("setup was called", flush=True)
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    sc = SparkContext(conf=conf.set("spark.log.level", "OFF"))
    ssc = ENGINE.StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[2])
    KINDS[sys.argv[3]](ssc.textFileStream(f"{sys.argv[2]}-in")).foreachRDD(show)
    return ssc


def main() -> None:
    ssc = ENGINE.StreamingContext.getOrCreate(sys.argv[2], setup)
    ssc.sparkContext.pythonExec = sys.executable  # DStreams take any python3 of the PATH
    ssc.start()
    clock = ManualClock(ssc)
    first, last = int(sys.argv[4]), int(sys.argv[5])
    for second in range(first, last + 1):
        clock.advance(1)
        while not totals.wait(second, 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()
    print("stopped", flush=True)


if __name__ == "__main__":
    main()
