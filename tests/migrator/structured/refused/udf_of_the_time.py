# UNKNOWN_NAME: depends on the time
import time

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line, time.time())).pprint()
ssc.start()
ssc.awaitTermination()
