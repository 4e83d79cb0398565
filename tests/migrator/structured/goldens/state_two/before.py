"""Counts words and first letters."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def first_letter(word):
    return word[:1], 1


sc = SparkContext(appName="StateTwo")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split())
totals = words.map(lambda word: (word, 1)).updateStateByKey(lambda new, old: (old or 0) + sum(new))
totals.pprint(20)
letters = words.map(first_letter).updateStateByKey(
    lambda new, letter_count: sum(new, letter_count or 0) if new else letter_count
)
letters.pprint(20)

ssc.start()
ssc.awaitTermination()
