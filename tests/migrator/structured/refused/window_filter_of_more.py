# FILTER: does more than to drop sums of 0
import operator

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
pairs.reduceByKeyAndWindow(operator.add, operator.sub, 60, 10, None, lambda kv: kv[1] > 5).pprint()

ssc.start()
ssc.awaitTermination()
