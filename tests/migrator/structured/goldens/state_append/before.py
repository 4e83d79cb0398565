"""Keeps the first and last size of long words."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def long_words(line):
    found = []
    for word in line.split(" "):
        size = len(word)
        if size < 4:
            continue
        found.append((word, size))
    return found


def first_and_last(sizes, ends):
    if sizes:
        return (ends[0] if ends else sizes[0], sizes[-1])
    return ends


sc = SparkContext(appName="StateAppend")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

words = ssc.textFileStream(sys.argv[1]).flatMap(long_words)
ends = words.updateStateByKey(first_and_last)
ends.map(lambda pair: (pair[0], pair[1][0], pair[1][1])).pprint(20)

ssc.start()
ssc.awaitTermination()
