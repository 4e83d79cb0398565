# BRANCH: each output depends on a test, and a job without outputs does not start
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

debug = len(sys.argv) > 1
sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
if debug:
    lines.pprint()
ssc.start()
ssc.awaitTermination()
