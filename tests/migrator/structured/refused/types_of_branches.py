# MIXED_TYPES: the streams of a name have other types
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
if len(sys.argv) > 1:
    found = lines.map(lambda line: len(line))
else:
    found = lines.filter(lambda line: line != "")
found.pprint()
ssc.start()
ssc.awaitTermination()
