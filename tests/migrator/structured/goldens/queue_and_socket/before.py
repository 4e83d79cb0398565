"""Reads lines of a socket, and beside them a queue of numbers that has nothing to do with them."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="QueueAndSocket")
ssc = StreamingContext(sc, 1)

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
lines.flatMap(lambda line: line.split(" ")).mapPartitions(sorted).pprint()
ssc.queueStream([range(3), range(5, 2, -1), [], [7]]).map(lambda n: n * n).saveAsTextFiles("out/squares")

ssc.start()
ssc.awaitTermination()
