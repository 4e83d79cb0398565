"""Keeps the average length of the words of each first letter."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def average(sizes, stats):
    if not sizes:
        return stats
    total, number = (stats[0], stats[1]) if stats else (0, 0)
    total += sum(sizes)
    number += len(sizes)
    return total, number, total / number


sc = SparkContext(appName="StateAverage")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word[:1], len(word)))
averages = words.updateStateByKey(average)
averages.map(lambda pair: (pair[0], pair[1][2])).pprint(20)

ssc.start()
ssc.awaitTermination()
