# LATE: this call would run later than in the original job
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, int(sys.argv[1]) * 2)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
