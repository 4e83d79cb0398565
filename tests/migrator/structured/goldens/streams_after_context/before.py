"""Makes its streams after `getOrCreate` has returned, so it never goes on from a checkpoint."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="StreamsAfterContext")
    ssc = StreamingContext(sc, 1)
    # never read
    ssc.checkpoint("checkpoint")
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.filter(lambda line: "a" in line).pprint()
ssc.start()
ssc.awaitTermination()
