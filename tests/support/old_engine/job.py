"""A job over files that runs unchanged on Spark's DStreams, and on dstream_compat.

``job.py SETTINGS`` with a JSON object: checkpoint, input, log, first and last (batches, in
seconds), kill (batch in whose middle the process kills itself, or 0), and conf (settings of Spark).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from tally import Tally

given = json.loads(sys.argv[1])


def line_of(second: int) -> str:
    """What arrives in a second."""
    return f"a b{second % 3} c{second} a"


def sums(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def pairs(new: list[int], old: tuple[int, int] | None) -> tuple[int, int]:
    words, batches = old or (0, 0)
    return words + len(new), batches + 1


def tallies(new: list[int], old: Tally | None) -> Tally:
    return Tally((old.words if old else 0) + len(new), (old.batches if old else 0) + 1)


def kept(name: str, stream: Any) -> None:
    """Log a stream's batches."""

    def write(at: Any, rdd: Any) -> None:
        second = round(at.timestamp())
        found = sorted(rdd.collect())
        with open(given["log"], "a") as log:
            log.write(json.dumps([name, second, found]) + "\n")
        if second == given["kill"] and name == "pairs":
            os.kill(os.getpid(), signal.SIGKILL)

    stream.foreachRDD(write)


def create() -> StreamingContext:
    ssc = StreamingContext(SparkContext.getOrCreate(), 1)
    ssc.checkpoint(given["checkpoint"])
    words = ssc.textFileStream(given["input"]).flatMap(lambda line: line.split())
    ones = words.map(lambda word: (word, 1))
    total = ones.updateStateByKey(sums)
    total.checkpoint(2)
    kept("sums", total)
    both = ones.updateStateByKey(pairs)
    both.checkpoint(2)
    kept("pairs", both)
    counted = ones.updateStateByKey(tallies)
    counted.checkpoint(2)
    kept("tallies", counted.mapValues(lambda tally: [tally.words, tally.batches]))
    window = ones.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 5, 1)
    window.checkpoint(2)
    kept("window", window.filter(lambda pair: pair[1] > 0))
    kept("last", words)
    return ssc


def wait_for(second: int) -> None:
    """Wait until a batch has run; the log says so, since functions here are pickled."""
    pause, deadline = threading.Event(), time.monotonic() + 120
    while True:
        if os.path.exists(given["log"]):
            with open(given["log"]) as log:
                if any(json.loads(line)[:2] == ["last", second] for line in log):
                    return
        assert time.monotonic() < deadline, second
        pause.wait(0.05)


conf = SparkConf().setMaster("local[2]").setAppName("an old job").set("spark.ui.enabled", "false")
conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
for key, value in given["conf"].items():
    conf.set(key, value)
SparkContext(conf=conf).setLogLevel("ERROR")
ssc = StreamingContext.getOrCreate(given["checkpoint"], create)
ours = hasattr(ssc, "_clock")
clock: Any = ssc._clock if ours else ssc._jssc.ssc().scheduler().clock()
if ours:
    clock.jump((given["first"] - 1) * 1000)
ssc.start()
for second in range(given["first"], given["last"] + 1):
    draft = os.path.join(given["input"], ".draft")
    with open(draft, "w") as lines:
        lines.write(line_of(second) + "\n")
    os.utime(draft, (second - 0.5, second - 0.5))
    os.rename(draft, os.path.join(given["input"], f"part-{second}"))
    clock.advance(1000)
    wait_for(second)
ssc.stop()
