"""Keeps the longest word of each first letter."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def longest(words, best):
    for word in words:
        if best is None or len(word) > len(best):
            best = word
    return best


sc = SparkContext(appName="StateLongest")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.textFileStream("in")
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word[0], word))
bests = words.updateStateByKey(longest)
bests.map(lambda pair: pair[1]).pprint(20)

ssc.start()
ssc.awaitTermination()
