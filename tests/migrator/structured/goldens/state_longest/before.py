"""Keeps the longest word of each first letter."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def longest(words, best):
    for word in words:
        if best is None or len(word) > len(best):
            best = word
    return best


sc = SparkContext(appName="StateLongest")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word[:1], word))
bests = words.updateStateByKey(longest)
bests.map(lambda pair: pair[1]).pprint(20)

ssc.start()
ssc.awaitTermination()
