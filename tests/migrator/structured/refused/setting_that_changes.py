# LATE: `debug` may have another value later
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

debug = len(sys.argv) > 1
sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.count().pprint()
if debug:
    lines.pprint()
debug = False
ssc.start()
ssc.awaitTermination()
