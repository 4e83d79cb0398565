"""A job that counts; when it runs first, it waits in its second batch: interrupted.py FOLDER."""

import os
import signal
import sys
import threading

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

folder = sys.argv[1]
mark = f"{folder}.waited"
first = not os.path.exists(mark)


def setup():
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    sc = SparkContext(conf=conf.set("spark.log.level", "ERROR"))
    ssc = StreamingContext(sc, 0.5)
    ssc.checkpoint(folder)
    pairs = ssc.queueStream([[("a", 1)]] * 3, default=[])
    pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(show)
    return ssc


def show(rdd):
    (pair,) = rdd.collect()
    if pair[1] == 2 and not os.path.exists(mark):
        with open(mark, "w"):
            print("running", flush=True)
        rdd.foreach(lambda _: threading.Event().wait(60))
    print(pair, flush=True)
    if pair[1] == 3:
        StreamingContext.getActive().stop(True, False)


def tell_stopping(before):
    """Print that the stop has begun: from then on a Ctrl-C is the stop's to handle."""
    while signal.getsignal(signal.SIGINT) is before:
        threading.Event().wait(0.001)
    print("stopping", flush=True)


ssc = StreamingContext.getOrCreate(folder, setup)
ssc.start()
try:
    ssc.awaitTermination()
finally:
    if first:
        now = signal.getsignal(signal.SIGINT)
        threading.Thread(target=tell_stopping, args=(now,), daemon=True).start()
        ssc.stop(True, True)
