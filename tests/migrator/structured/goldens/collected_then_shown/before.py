"""Keeps what batches give in a list, stops when it has two, and shows it."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

history = []


def keep(time, rdd):
    values = [float(value) for value in rdd.collect()]
    if values:
        history.append((len(history), max(values)))


def show(points):
    for number, value in points:
        print("%d: %.1f" % (number, value))


sc = SparkContext(appName="Collected")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
lines.map(lambda line: line.strip()).foreachRDD(keep)
ssc.start()
while len(history) < 2:
    ssc.awaitTerminationOrTimeout(0.1)
ssc.stop(stopSparkContext=False)
show(history)
