"""What the jobs of this folder have in common: settings, input, a log of batches, and time.

They are started with a JSON object: checkpoint, log, first and last (batches, in seconds), kill
(batch in whose middle the process kills itself, or 0), and conf (settings of Spark).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from pyspark import SparkConf, SparkContext

given = json.loads(sys.argv[1])


def line_of(second: int) -> str:
    """What arrives in a second."""
    return f"a b{second % 3} c{second} a"


def kept(name: str, stream: Any) -> None:
    """Log a stream's batches; the output "pairs" kills the process."""

    def write(at: Any, rdd: Any) -> None:
        second = round(at.timestamp())
        found = sorted(rdd.collect())
        with open(given["log"], "a") as log:
            log.write(json.dumps([name, second, found]) + "\n")
        if second == given["kill"] and name == "pairs":
            os.kill(os.getpid(), signal.SIGKILL)

    stream.foreachRDD(write)


def started(app: str) -> SparkContext:
    """Start Spark, under a manual clock."""
    conf = SparkConf().setMaster("local[2]").setAppName(app).set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.python.authenticate.socketTimeout", "600s")  # on a busy machine
    for key, value in given["conf"].items():
        conf.set(key, value)
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")
    return sc


def live(ssc: Any, feed: Callable[[int], None]) -> None:
    """Run a context from the first batch to the last one."""
    ours = hasattr(ssc, "_clock")
    clock: Any = ssc._clock if ours else ssc._jssc.ssc().scheduler().clock()
    if ours:
        clock.jump((given["first"] - 1) * 1000)
    ssc.start()
    if given["first"] > 1:  # what runs again has only its own input
        _wait_for(ssc, given["first"] - 1)
    for second in range(given["first"], given["last"] + 1):
        feed(second)
        clock.advance(1000)
        _wait_for(ssc, second)
    ssc.stop()


def _wait_for(ssc: Any, second: int) -> None:
    """Wait until a batch has run; the log says so, since functions here are pickled."""
    deadline = time.monotonic() + 600
    while True:
        if os.path.exists(given["log"]):
            with open(given["log"]) as log:
                if any(json.loads(line)[:2] == ["last", second] for line in log):
                    return
        assert time.monotonic() < deadline, second
        assert not ssc.awaitTerminationOrTimeout(0.05)  # raises what has ended it
