"""Counts words, on top of what was counted before."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


KNOWN_BEFORE = [("spark", 100), ("storm", 3)]


def update_total(new_values, total):
    return (total or 0) + sum(new_values)


sc = SparkContext(appName="StateInitial")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

initial = sc.parallelize(KNOWN_BEFORE)
words = ssc.textFileStream("in").flatMap(lambda line: line.split())
totals = words.map(lambda word: (word, 1)).updateStateByKey(update_total, initialRDD=initial)
totals.map(lambda pair: (pair[0], pair[1] + 1)).pprint(20)

ssc.start()
ssc.awaitTermination()
