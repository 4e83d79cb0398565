"""A job whose Python workers are killed in the middle of a batch, once in each operator.

Arguments: Spark's master, a folder for the marks of those who died, an output file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.testing import ManualClock

BATCHES = [["a", "b", "a", "c"], ["b", "a"], ["c", "c", "a"], ["b"]]


def main() -> None:
    marks, log = sys.argv[2], sys.argv[3]

    def die_once(where: str, now: bool) -> None:
        """Kill this worker if it is the first one that comes here."""
        mark = Path(marks, where)
        if now and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def to_pair(word: str) -> tuple[str, int]:
        die_once("map", word == "c")
        return word, 1

    def count(new: list[int], old: int | None) -> int:
        die_once("updateStateByKey", old is not None)
        return sum(new) + (old or 0)

    def track(key: str, value: int | None, state: Any) -> tuple[str, int]:
        die_once("mapWithState", state.getOption() == 2)  # of an interval before
        state.update((state.getOption() or 0) + (value or 0))
        return key, state.get()

    def add(a: int, b: int) -> int:
        die_once("reduceByKeyAndWindow", True)
        return a + b

    ended = {1: threading.Event(), len(BATCHES): threading.Event()}

    def output(name: str) -> Any:
        def write(time: datetime, rdd: Any) -> None:
            records = sorted(list(pair) for pair in rdd.collect())
            number = int(rdd.context.getLocalProperty("streaming.sql.batchId"))
            with open(log, "a") as stream:
                stream.write(json.dumps([name, time.timestamp(), records, number]) + "\n")
            if name == "windows" and time.timestamp() in ended:
                ended[int(time.timestamp())].set()

        return write

    conf = SparkConf().setMaster(sys.argv[1]).setAppName("worker death")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("OFF")
    sc.setCheckpointDir(os.path.join(marks, "checkpoint"))
    ssc = StreamingContext(sc, 1)
    pairs = ssc.queueStream(BATCHES).map(to_pair)
    pairs.updateStateByKey(count).foreachRDD(output("counts"))
    pairs.mapWithState(StateSpec.function(track)).foreachRDD(output("tracked"))
    pairs.reduceByKeyAndWindow(add, lambda a, b: a - b, 2, 1).foreachRDD(output("windows"))
    ssc.start()
    clock = ManualClock(ssc)
    for last, event in ended.items():  # a micro-batch that fails three times ends the job
        clock.advance_to(last)
        while not event.wait(0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()


if __name__ == "__main__":
    main()
