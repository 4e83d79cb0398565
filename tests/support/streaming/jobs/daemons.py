"""Prints which daemon has forked the workers of each kind of function."""

import json
import os
import threading

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

daemons = {}
ended = threading.Event()


def see(kind):
    return lambda record: (kind, os.getppid())


def latest(new, old):
    return [*new, ("updateStateByKey", os.getppid())]


def output(rdd):
    for _, seen in rdd.collect():
        daemons.update(seen)
    daemons.update(rdd.context.parallelize([0], 1).map(see("rdd")).collect())
    ended.set()


sc = SparkContext("local[2]", "daemons")
sc.setCheckpointDir("checkpoint")
ssc = StreamingContext(sc, 1)
seen = ssc.queueStream([["a"]]).map(see("map")).map(lambda pair: (0, pair))
seen.updateStateByKey(latest).foreachRDD(output)
ssc.start()
ended.wait(120)
ssc.stop()
print(json.dumps(daemons))
