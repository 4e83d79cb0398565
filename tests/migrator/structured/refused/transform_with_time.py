# BATCH_TIME: `transform` uses the time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.transform(lambda time, rdd: rdd.map(lambda line: (time, line))).pprint()
ssc.start()
ssc.awaitTermination()
