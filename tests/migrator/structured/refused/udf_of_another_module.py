# UNKNOWN_NAME: is of another module
from prices import price

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: price(line)).pprint()
ssc.start()
ssc.awaitTermination()
