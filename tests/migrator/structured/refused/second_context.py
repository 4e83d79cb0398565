# CONTEXTS: two StreamingContexts
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
other = StreamingContext(sc, 10)
lines.pprint()
ssc.start()
ssc.awaitTermination()
