"""Unites totals and the counts of the batch, and writes both together."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def total(values, state):
    return sum(values, state or 0)


def write(time, rdd):
    for name, (batch, whole) in sorted(rdd.collect()):
        print(name, batch, whole)


sc = SparkContext(appName="Both")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("both-checkpoint")
words = ssc.socketTextStream("localhost", int(sys.argv[1])).flatMap(lambda line: line.split())
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
totals = counts.updateStateByKey(total)
both = counts.map(lambda pair: (pair[0], (pair[1], 0))).union(totals.map(lambda pair: (pair[0], (0, pair[1]))))
both.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).foreachRDD(write)
ssc.start()
ssc.awaitTermination()
