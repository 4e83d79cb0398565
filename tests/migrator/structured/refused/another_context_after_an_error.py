# REBOUND: `sc` is something else after an error
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

try:
    sc = SparkContext(appName="Refused")
except ValueError:
    sc = SparkContext.getOrCreate()
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
