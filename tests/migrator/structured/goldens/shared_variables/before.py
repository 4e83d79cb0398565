"""Accumulators and broadcasts that functions of batches and the driver share."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Shared")
ssc = StreamingContext(sc, 1)
stop_words = sc.broadcast({"the", "a"})
dropped = sc.accumulator(0)


def keep(word):
    if word in stop_words.value:
        dropped.add(1)
        return False
    return True


def report(time, rdd):
    counts = dict(rdd.collect())
    print(sorted(counts.items()), dropped.value)


words = ssc.socketTextStream("localhost", int(sys.argv[1])).flatMap(lambda line: line.split(" "))
words.filter(keep).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(report)
ssc.start()
ssc.awaitTermination()
