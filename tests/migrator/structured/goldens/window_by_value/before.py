"""Counts lines over a window."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowByValue")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.countByValueAndWindow(6, 1).pprint()

ssc.start()
ssc.awaitTermination()
