"""Counts all words since the start."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def update(values, count):
    return sum(values) + (count or 0)


if __name__ == "__main__":
    sc = SparkContext(appName="RunningCount")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[3])
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    totals = pairs.updateStateByKey(update)
    totals.pprint(30)
    ssc.start()
    ssc.awaitTermination()
