# TARGET: a stream or context is assigned to an attribute or item
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
streams = {}
streams[sys.argv[1]] = ssc.socketTextStream("localhost", 9999)
for stream in streams.values():
    stream.pprint()
ssc.start()
ssc.awaitTermination()
