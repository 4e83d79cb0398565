"""Tumbling windows of two lengths, one behind a reduce."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Tumbling")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
pairs = lines.map(lambda line: (line[:1], line))
pairs.window(2, 2).groupByKey().mapValues(lambda group: "|".join(sorted(group))).pprint()
pairs.reduceByKey(min).window(4, 4).reduceByKey(max).pprint()
ssc.start()
ssc.awaitTermination()
