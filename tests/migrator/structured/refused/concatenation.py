# ORDER: depends on the order
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line[:1], line)).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
