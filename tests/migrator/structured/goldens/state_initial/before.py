"""Counts words, on top of what was counted before."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


KNOWN_BEFORE = [("spark", 100), ("storm", 3)]


def update_total(new_values, total):
    return (total or 0) + sum(new_values)


sc = SparkContext(appName="StateInitial")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

initial = sc.parallelize(KNOWN_BEFORE)
words = ssc.textFileStream(sys.argv[1]).flatMap(lambda line: line.split())
totals = words.map(lambda word: (word, 1)).updateStateByKey(update_total, initialRDD=initial)
totals.map(lambda pair: "%s %d" % pair).pprint(20)

ssc.start()
ssc.awaitTermination()
