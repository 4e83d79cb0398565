"""Counts words since the start."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def known(new, seen):
    if seen is None:
        seen = 0
    return seen + len(new)


sc = SparkContext(appName="StateCount")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.textFileStream("in")
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).updateStateByKey(known)
counts.pprint(20)

ssc.start()
ssc.awaitTermination()
