"""Goes on where it was stopped, with code of batches."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create(folder, checkpoint):
    sc = SparkContext(appName="BatchCodeRecovered")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    lines = ssc.textFileStream(folder)
    halves = lines.map(lambda line: line.partition("=")[::2])
    halves.mapPartitions(lambda part: sorted(part, reverse=True)).saveAsTextFiles("out/halves")
    return ssc


ssc = StreamingContext.getOrCreate(sys.argv[2], lambda: create(sys.argv[1], sys.argv[2]))
ssc.start()
ssc.awaitTermination()
