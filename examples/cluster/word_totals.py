"""Running word totals from a queue, for a first run on a cluster. The job ends by itself.

$ python -m dstream_compat submit --master spark://HOST:PORT word_totals.py CHECKPOINT_FOLDER
"""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

BATCHES = [["to be or"], ["not to be"], ["that is"]]


def add(new, total):
    return sum(new) + (total or 0)


def main(checkpoint):
    sc = SparkContext(appName="word totals")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    totals = {}

    def keep(rdd):
        totals.update(rdd.collect())

    words = ssc.queueStream(BATCHES).flatMap(lambda line: line.split())
    words.map(lambda word: (word, 1)).updateStateByKey(add).foreachRDD(keep)
    ssc.start()
    # raises what went wrong, if anything did
    while "that" not in totals:
        ssc.awaitTerminationOrTimeout(1)
    executors = sc._jsc.sc().getExecutorMemoryStatus().size() - 1
    ssc.stop()
    print("executors:", executors)
    print("totals:", sorted(totals.items()))


if __name__ == "__main__":
    main(sys.argv[1])
