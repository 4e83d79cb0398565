# STATIC_DATA: not written here
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
known = sc.parallelize(load())
lines.map(lambda line: (line, 1)).transform(lambda rdd: rdd.join(known)).pprint()
ssc.start()
ssc.awaitTermination()
