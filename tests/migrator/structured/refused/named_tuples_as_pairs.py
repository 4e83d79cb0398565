# NAMED_TUPLES: `reduceByKey` of named tuples
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
visits = lines.map(lambda line: Visit(line, 1))
visits.reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
