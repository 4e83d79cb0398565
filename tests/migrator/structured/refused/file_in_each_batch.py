# STATIC_DATA: a file is read for each batch
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line, 1)).transform(
    lambda rdd: rdd.join(sc.textFile("known").map(lambda line: (line, 1)))
).pprint()
ssc.start()
ssc.awaitTermination()
