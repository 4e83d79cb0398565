"""Calls functions in each interval, with input or without."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

silent = 0


def watch(rdd):
    global silent
    silent = silent + 1 if rdd.isEmpty() else 0
    print("silent for", silent)


def keep(rdd):
    if rdd.isEmpty():
        return
    print("kept", rdd.map(vars).collect())


class Line:
    def __init__(self, text):
        self.text = text


sc = SparkContext(appName="BatchIdle")
ssc = StreamingContext(sc, 1)

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
lines.map(Line).foreachRDD(watch)
lines.map(Line).foreachRDD(keep)
lines.filter(lambda line: line < "b").count().map(lambda n: "%d lines" % n).pprint()
lines.map(len).reduce(max).count().pprint()

# nothing of these is done without input
files = ssc.textFileStream(sys.argv[2])
files.map(Line).foreachRDD(keep)
files.map(Line).map(vars).transform(lambda rdd: rdd.sortBy(str)).pprint()

ssc.start()
ssc.awaitTermination()
