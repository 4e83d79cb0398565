# REBOUND: `lines` is something else after an error
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
try:
    lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
except IndexError:
    lines = ssc.textFileStream("lines")
lines.pprint()
ssc.start()
ssc.awaitTermination()
