"""Counts words since the start."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def known(new, seen):
    if seen is None:
        seen = 0
    return seen + len(new)


sc = SparkContext(appName="StateCount")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).updateStateByKey(known)
counts.pprint(20)

ssc.start()
ssc.awaitTermination()
