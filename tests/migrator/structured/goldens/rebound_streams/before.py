"""Gives one name to several streams, and several names to one."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="ReboundStreams")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.pprint()
first = lines
lines = ssc.textFileStream(sys.argv[3])
# the lines of the socket
first.filter(lambda line: "a" in line).pprint()
lines.pprint()
lines = lines.map(lambda line: line + "!")
lines.pprint()
ssc.start()
ssc.awaitTermination()
