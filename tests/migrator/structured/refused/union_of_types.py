# MIXED_TYPES: other types
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.union(lines.map(len)).pprint()
ssc.start()
ssc.awaitTermination()
