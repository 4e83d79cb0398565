"""Totals by key of a Kafka topic, with the offsets of each batch; goes on after a crash.

python kafka_totals.py <brokers> <topic> <checkpoint folder> <file of totals> <jars>
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.kafka import KafkaUtils
from dstream_compat.testing import ManualClock

DEADLINE = 300.0


def define(sc: SparkContext, address: str, topic: str, totals: str, interval: float) -> Any:
    ssc = StreamingContext(sc, interval)
    stream = KafkaUtils.createDirectStream(
        ssc, [topic], {"metadata.broker.list": address, "auto.offset.reset": "smallest"}
    )
    offsets: list[int] = []

    def note(rdd: Any) -> Any:
        offsets[:] = [known.untilOffset for known in rdd.offsetRanges()]
        return rdd

    def write(time: datetime, rdd: Any) -> None:
        line = repr((round(time.timestamp() * 1000), sorted(rdd.collect()), list(offsets)))
        with open(totals, "a") as out:
            out.write(line + "\n")
            out.flush()
            os.fsync(out.fileno())

    stream.foreachRDD(note)
    pairs = stream.map(lambda record: (record[0], int(record[1])))
    pairs.updateStateByKey(lambda new, old: (old or 0) + sum(new)).foreachRDD(write)
    return ssc


def run(
    sc: SparkContext, address: str, topic: str, folder: str, totals: str, steps: Sequence[int]
) -> None:
    """Run under a manual clock: each step is a number of intervals that pass at once."""
    ssc = StreamingContext.getOrCreate(folder, lambda: define(sc, address, topic, totals, 1))
    ssc.start()
    try:
        clock = ManualClock(ssc)
        now = round(clock.now() * 1000)
        for step in steps:
            clock.advance(step)
            now += step * 1000
            wait_for(totals, now)
    finally:
        ssc.stop(stopSparkContext=False)


def wait_for(totals: str, time: int) -> None:
    """Wait until the batch of a time (milliseconds) is written."""
    pause = threading.Event()
    for _ in range(int(DEADLINE / 0.05)):
        if os.path.exists(totals):
            with open(totals) as lines:
                if any(line.startswith(f"({time},") for line in lines):
                    return
        pause.wait(0.05)
    raise AssertionError(f"the batch of {time} ms did not end")


if __name__ == "__main__":
    address, topic, folder, totals, jars = sys.argv[1:]
    conf = SparkConf().setMaster("local[2]").setAppName("kafka totals")
    conf = conf.set("spark.ui.enabled", "false").set("spark.jars", jars)
    context = SparkContext(conf=conf)
    context.setLogLevel("OFF")
    ssc = StreamingContext.getOrCreate(folder, lambda: define(context, address, topic, totals, 0.5))
    ssc.start()
    ssc.awaitTermination()
