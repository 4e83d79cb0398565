# UNKNOWN_NAME: `known`: is no known constant
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
known = sc.broadcast(["a"])
lines.filter(lambda line: line in known.value).pprint()
ssc.start()
ssc.awaitTermination()
