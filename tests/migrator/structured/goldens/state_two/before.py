"""Counts words and first letters."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def seen(new, old):
    return True


sc = SparkContext(appName="StateTwo")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.textFileStream("in")
words = lines.flatMap(lambda line: line.split())
totals = words.map(lambda word: (word, 1)).updateStateByKey(lambda new, old: (old or 0) + sum(new))
totals.pprint(20)
letters = words.map(lambda word: (word[0], 1)).updateStateByKey(
    lambda new, letter_count: sum(new, letter_count or 0) if new else letter_count
)
letters.pprint(20)

ssc.start()
ssc.awaitTermination()
