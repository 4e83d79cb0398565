"""Keeps the last three lengths of each first letter."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


LAST = 3


def last_sizes(new, sizes):
    return ((sizes or []) + new)[-LAST:]


sc = SparkContext(appName="StateLast")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word[:1], len(word)))
words.updateStateByKey(last_sizes).pprint(20)

ssc.start()
ssc.awaitTermination()
