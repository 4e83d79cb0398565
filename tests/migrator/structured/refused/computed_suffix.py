# LATE: this call would run later
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.saveAsTextFiles("lines", suffix=sys.argv[1].strip())
ssc.start()
