"""Creates its context by getOrCreate, and declares the streams after it."""

import os
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

CHECKPOINT = "checkpoint"


def create():
    print("new context")
    ssc = StreamingContext(SparkContext(appName="late"), 1)
    ssc.checkpoint(CHECKPOINT)
    return ssc


def build(ssc):
    lines = ssc.textFileStream("in")  # expect: D603
    words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    words.updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()


if __name__ == "__main__":
    known = os.path.exists(CHECKPOINT)
    context = StreamingContext.getOrCreate(CHECKPOINT, create)
    if not known or "--always" in sys.argv:
        build(context)
    context.start()
    context.awaitTermination()
