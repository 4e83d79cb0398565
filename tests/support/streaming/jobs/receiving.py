"""A stateful job over a receiver, under a manual clock, that may be killed.

Arguments: checkpoint folder, what to receive from (a port, an MQTT or a Kinesis URL), log file,
steps, batch time (seconds) in whose output to die (0: never), whether to log received records, a
name of the MQTT client (may be empty), whether tasks read Kinesis behind the second record.

Steps are separated by commas: ``r3`` waits until three records wait for their interval, ``m3``
until there are three or more, ``p3`` until three of Kinesis are planned or wait, be they read or
not, ``t`` lets an interval pass, ``k`` kills the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.kinesis import InitialPositionInStream, KinesisUtils
from dstream_compat.mqtt import MQTTUtils
from dstream_compat.source.kinesis import shards
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import recovery_log


def words(ssc: StreamingContext, address: str) -> Any:
    if address.startswith("tcp:"):
        return MQTTUtils.createStream(ssc, address, "words")
    if address.startswith("http:"):
        start = InitialPositionInStream.TRIM_HORIZON
        region, keys = "eu-central-1", {"awsAccessKeyId": "test", "awsSecretKey": "secret"}
        return KinesisUtils.createStream(ssc, "app", "words", address, region, start, 2, **keys)
    return ssc.socketTextStream("127.0.0.1", int(address))


def setup() -> StreamingContext:
    print("setup was called", flush=True)
    conf = SparkConf().setMaster("local[2]").setAppName("receiving")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.streaming.receiver.writeAheadLog.enable", sys.argv[6])
    if sys.argv[7]:
        conf.set("spark.streaming.compat.mqtt.clientId", sys.argv[7])
    ssc = StreamingContext(SparkContext(conf=conf), 1)
    ssc.checkpoint(sys.argv[1])
    pairs = words(ssc, sys.argv[2]).flatMap(str.split).map(lambda word: (word, 1))
    totals = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))
    totals.foreachRDD(recovery_log.counts)
    totals.foreachRDD(recovery_log.tracked)
    return ssc


def filed(source: Any) -> int:
    """Return how many records of Kinesis are behind the job: the server counts from 1."""
    return sum(int(where) for kind, where in dict(source._filed).values() if kind == shards.AFTER)


def main() -> None:
    if sys.argv[8] == "true":
        shards._SAMPLE, shards._TAIL_SECONDS = 2, 0.0  # type: ignore[misc]
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.sparkContext.setLogLevel("OFF")
    ssc.start()
    clock = ManualClock(ssc)
    assert ssc._job is not None
    source: Any = ssc._job.inputs[0]
    pause = threading.Event()
    for step in sys.argv[4].split(","):
        if step == "k":
            os.kill(os.getpid(), signal.SIGKILL)
        elif step == "t":
            clock.advance(1)
            while not recovery_log.wait(clock.now(), 0.2):
                ssc.awaitTerminationOrTimeout(0.01)
        elif step[0] == "p":
            while filed(source) < int(step[1:]):
                pause.wait(0.01)
                ssc.awaitTerminationOrTimeout(0.01)
        else:
            wanted = int(step[1:])
            while source.count_received() < wanted or (
                step[0] == "r" and source.count_received() > wanted
            ):
                pause.wait(0.01)
                ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()
    print("done", flush=True)


if __name__ == "__main__":
    main()
