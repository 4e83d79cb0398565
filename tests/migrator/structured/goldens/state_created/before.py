"""Two totals of a job that a function builds."""
import sys
from functools import partial
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def build(folder, checkpoint):
    sc = SparkContext(appName="StateCreated")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    ssc.remember(60)

    words = ssc.textFileStream(folder).flatMap(lambda line: line.split())
    longest = words.map(lambda word: (word[:1], len(word))).updateStateByKey(
        lambda sizes, best: max(sizes + [best]) if best is not None else max(sizes or [0])
    )
    longest.pprint()
    words.map(lambda word: (word, 1)).reduceByKey(add).pprint()
    return ssc


if __name__ == "__main__":
    ssc = StreamingContext.getOrCreate(sys.argv[2], partial(build, sys.argv[1], sys.argv[2]))
    ssc.start()
    try:
        ssc.awaitTermination()
    finally:
        ssc.stop()
