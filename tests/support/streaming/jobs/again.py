"""Two jobs in one process, one after another, each with a SparkContext of its own."""

import sys

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals


def run(number):
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    sc = SparkContext(conf=conf.set("spark.log.level", "OFF"))
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(f"{sys.argv[1]}/{number}")
    totals.forget()
    counted = ssc.queueStream([["a", "a"], ["a"]]).map(lambda word: (word, number))
    counted.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(
        lambda time, rdd: print("job", number, time.timestamp(), rdd.collect(), flush=True)
    )
    counted.foreachRDD(totals.done)
    ssc.start()
    clock = ManualClock(ssc)
    for batch in (1, 2):
        clock.advance(1)
        while not totals.wait(float(batch), 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()
    assert sc._jsc is None
    assert StreamingContext.getActive() is None


if __name__ == "__main__":
    run(1)
    run(2)
