"""Reads a folder or a socket, as its arguments say."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="AlternativeSources")
ssc = StreamingContext(sc, 1)
if len(sys.argv) > 4:
    # from files
    pairs = ssc.textFileStream(sys.argv[4]).map(lambda line: line.split(","))
    lines = pairs.map(lambda fields: fields[0] + "!")
else:
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
if "-w" in sys.argv:
    lines = lines.flatMap(lambda line: line.split(" "))
counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
