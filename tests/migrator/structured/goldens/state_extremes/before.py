"""Keeps the longest and shortest words of each first letter."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def extremes(sizes, state):
    if not sizes:
        return state
    if state is None:
        return max(sizes), min(sizes), sum(sizes), len(sizes)
    largest, smallest, total, number = state
    for size in sizes:
        if size > largest:
            largest = size
        total += size
    return largest, min(sizes + [smallest]), total, number + len(sizes)


sc = SparkContext(appName="StateExtremes")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
# the first letter of a word, and its length
words = lines.flatMap(lambda line: line.split())
sizes = words.map(lambda word: (word[:1], len(word)))
known = sizes.updateStateByKey(extremes)
known.map(lambda p: (p[0], p[1][0], p[1][1], p[1][2], p[1][3])).pprint(20)

ssc.start()
ssc.awaitTermination()
