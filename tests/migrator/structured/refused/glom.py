# PARTITIONS: a DataFrame has other partitions
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.glom().pprint()
ssc.start()
ssc.awaitTermination()
