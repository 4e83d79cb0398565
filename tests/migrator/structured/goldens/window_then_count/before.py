"""Counts the lines of the last three seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowThenCount")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
recent = lines.window(3, 1)
recent.count().pprint()
recent.map(lambda line: len(line)).reduce(max).pprint()

ssc.start()
ssc.awaitTermination()
