"""Counts the letters of words; a word of five letters starts again."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def update_total(new_values, total):
    total = total or 0
    for value in new_values:
        if value == 5:
            total = 0
        else:
            total += value
    # None removes the word from the state
    return total if total > 0 else None


sc = SparkContext(appName="StateReset")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split())
totals = words.map(lambda word: (word[:1], len(word))).updateStateByKey(update_total)
totals.pprint(20)

ssc.start()
ssc.awaitTermination()
