"""Counts lines, and keeps what its outputs give, which is nothing."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def report(rdd):
    for line in sorted(rdd.collect()):
        print(line)


sc = SparkContext(appName="OutputsAssigned")
ssc = StreamingContext(sc, 2)
kept = ssc.remember(10)

lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
# nothing reads this
shown = lines.count().pprint()
data = lines.filter(lambda line: "a" in line).foreachRDD(report)

ssc.start()
ssc.awaitTermination()
