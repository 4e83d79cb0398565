"""Counts words and their letters."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def update(values, state):
    total, letters = state if state is not None else (0, 0)
    for count, size in values:
        total += count
        letters += size
    return (total, letters)


sc = SparkContext(appName="StatePairs")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, (1, len(word))))
totals = words.updateStateByKey(update, numPartitions=2)
often = totals.filter(lambda pair: pair[1][0] > 1)
often.map(lambda pair: (pair[0], pair[1][0], pair[1][1])).pprint(20)

ssc.start()
ssc.awaitTermination()
