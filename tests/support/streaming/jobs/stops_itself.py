"""A job whose output stops it, SparkContext included. Arguments: "plain" or "graceful"."""

import sys

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock

conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock").set("spark.log.level", "OFF")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)


def stops(rdd):
    print("first", rdd.collect(), flush=True)
    ssc.stop(True, sys.argv[1] == "graceful")
    print("stop returned", flush=True)


numbers = ssc.queueStream([[1, 2]])
numbers.foreachRDD(stops)
numbers.foreachRDD(lambda rdd: print("second", rdd.collect(), flush=True))
ssc.start()
ManualClock(ssc).advance(1)
ssc.awaitTermination()
print("the end", flush=True)
