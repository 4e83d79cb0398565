"""A job with growing state that keeps a checkpoint where there may be little room.

Arguments: checkpoint folder, input folder, intervals to run.
"""

from __future__ import annotations

import sys

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals


def setup() -> StreamingContext:
    conf = SparkConf().setMaster("local[2]").setAppName("disk")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("OFF")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[1])
    pairs = ssc.textFileStream(sys.argv[2]).flatMap(str.split).map(lambda word: (word, 1))
    pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(totals.keep)
    return ssc


def main() -> None:
    intervals = int(sys.argv[3])
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.sparkContext.setLogLevel("OFF")
    ssc.start()
    clock = ManualClock(ssc)
    while clock.now() < intervals:
        clock.advance(1)
        while not totals.wait(clock.now(), 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()


if __name__ == "__main__":
    main()
