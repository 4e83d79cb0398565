"""Prints the words of each batch, the most frequent first."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def report(rdd):
    # an idle interval prints nothing
    if rdd.isEmpty():
        return
    counts = rdd.collect()
    for word, count in sorted(counts, key=lambda pair: (-pair[1], pair[0])):
        print("%s: %d" % (word, count))
    print(len(counts), "words")


sc = SparkContext(appName="Report")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
pairs.reduceByKey(lambda a, b: a + b).foreachRDD(report)
ssc.start()
ssc.awaitTermination()
