"""Failures and requests of each host and path."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowSums")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
def parse(line):
    fields = line.split(" ")
    return ((fields[0], fields[1]), (1 if fields[2] == "500" else 0, 1))


requests = lines.map(parse)
totals = requests.reduceByKeyAndWindow(
    lambda a, b: (a[0] + b[0], a[1] + b[1]), lambda x, y: (x[0] - y[0], x[1] - y[1]), 10, 2)
totals.map(lambda kv: (kv[0][0], kv[0][1], kv[1][0], kv[1][1])).pprint()

ssc.start()
ssc.awaitTermination()
