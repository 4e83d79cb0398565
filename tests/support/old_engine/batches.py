"""What the jobs of this folder have in common: settings, input, a log of batches, and time.

They are started with a JSON object: checkpoint, log, first and last (batches, in seconds), kill
(batch in whose middle the process kills itself, or 0), and conf (settings of Spark). With held (a
batch), the job lags: this one ends only when all until "kill" wait behind it, and the process kills
itself as soon as Spark has written a checkpoint for its end.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from pyspark import SparkConf, SparkContext

given = json.loads(sys.argv[1])
held = given["kill"] and given.get("held", 0)


def line_of(second: int) -> str:
    """What arrives in a second."""
    return f"a b{second % 3} c{second} a"


def kept(name: str, stream: Any) -> None:
    """Log a stream's batches; the output "pairs" kills the process."""

    end = given["kill"]

    def write(at: Any, rdd: Any) -> None:
        second = round(at.timestamp())
        if held and second > held:
            _wait_until(lambda: _is_written(end, ".bk") and _is_written(end))
            os.kill(os.getpid(), signal.SIGKILL)
        found = sorted(rdd.collect())
        with open(given["log"], "a") as log:
            log.write(json.dumps([name, second, found]) + "\n")
        if second == end and name == "pairs":
            os.kill(os.getpid(), signal.SIGKILL)
        if second == held and name == "last":
            _wait_until(lambda: _is_written(end))

    stream.foreachRDD(write)


def _is_written(second: int, suffix: str = "") -> bool:
    """Return whether a batch has its checkpoint, or has it for a second time: with a backup."""
    name = f"checkpoint-{second}000{suffix}"
    return os.path.exists(os.path.join(given["checkpoint"], name))


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
    advance: Callable[[float], None]
    if type(ssc).__module__.startswith("dstream_compat."):
        from dstream_compat.testing import ManualClock

        clock = ManualClock(ssc)
        clock.advance_to(given["first"] - 1)
        advance = clock.advance
    else:  # an older Spark, where the package is not
        advance = partial(_advance, ssc)
    ssc.start()
    if given["first"] > 1:  # what runs again has only its own input
        _wait_for(ssc, given["first"] - 1)
    for second in range(given["first"], given["last"] + 1):
        feed(second)
        advance(1)
        if not held or second <= held:
            _wait_for(ssc, second)
        else:  # what comes later is not in this batch
            _wait_until(partial(_is_written, second))
    if held:
        ssc.awaitTerminationOrTimeout(600)
    ssc.stop()


def _advance(ssc: Any, seconds: float) -> None:
    ssc._jssc.ssc().scheduler().clock().advance(round(seconds * 1000))


def _wait_for(ssc: Any, second: int) -> None:
    """Wait until a batch has run; the log says so, since functions here are pickled."""

    def has_run() -> bool:
        assert not ssc.awaitTerminationOrTimeout(0.05)  # raises what has ended it
        if not os.path.exists(given["log"]):
            return False
        with open(given["log"]) as log:
            return any(json.loads(line)[:2] == ["last", second] for line in log)

    _wait_until(has_run)


def _wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 600
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
