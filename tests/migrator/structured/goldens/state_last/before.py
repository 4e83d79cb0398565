"""Keeps the last three lengths of each first letter."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


LAST = 3


def last_sizes(new, sizes):
    return ((sizes or []) + new)[-LAST:]


sc = SparkContext(appName="StateLast")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.textFileStream("in")
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word[0], len(word)))
words.updateStateByKey(last_sizes).pprint(20)

ssc.start()
ssc.awaitTermination()
