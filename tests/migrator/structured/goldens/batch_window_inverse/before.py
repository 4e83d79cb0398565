"""Totals of the last seconds, kept by an inverse function for values that are tuples."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def parse(line):
    name, number = line.split("=")
    return name, (int(number), 1)


def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def remove(a, b):
    return a[0] - b[0], a[1] - b[1]


def is_used(pair):
    return pair[1][1] > 0


sc = SparkContext(appName="BatchWindowInverse")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

values = ssc.socketTextStream("localhost", int(sys.argv[1])).map(parse)
values.reduceByKeyAndWindow(add, remove, 5, 1).pprint()
used = values.reduceByKeyAndWindow(add, remove, 10, 2, filterFunc=is_used)
used.pprint()
used.mapPartitions(lambda part: [sum(pair[1][0] for pair in part)]).reduce(max).pprint()
values.reduceByKeyAndWindow(add, remove, 4, 2, 3, is_used).pprint()
values.reduceByKeyAndWindow(add, None, 2).pprint()

ssc.start()
ssc.awaitTermination()
