# FILTER: still have values in the window
import operator

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.map(lambda line: (line, 1 if line else 0)).reduceByKeyAndWindow(operator.add, operator.sub, 60, 10, filterFunc=lambda kv: kv[1] > 0).pprint()

ssc.start()
ssc.awaitTermination()
