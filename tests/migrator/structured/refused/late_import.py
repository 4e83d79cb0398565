# IMPORT: an import comes late
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.flatMap(lambda line: line.split()).pprint()
import time
ssc.start()
ssc.awaitTermination()
