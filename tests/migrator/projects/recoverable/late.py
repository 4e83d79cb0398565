import sys

from builder import build
from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def create(folder):
    sc = SparkContext(appName="late")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(folder)
    return ssc


if __name__ == "__main__":
    ssc = StreamingContext.getOrCreate(sys.argv[1], lambda: create(sys.argv[1]))
    lines = ssc.socketTextStream("localhost", 9999)  # expect: D603
    lines.pprint()
    build(ssc)
    ssc.start()
    ssc.awaitTermination()
