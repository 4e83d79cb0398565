# ORDER: the order of a set differs
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.flatMap(lambda line: set(line.split(" "))).pprint()
ssc.start()
ssc.awaitTermination()
