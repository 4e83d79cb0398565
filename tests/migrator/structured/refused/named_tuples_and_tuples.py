# MIXED_TYPES: the records have several types
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
visits = lines.map(lambda line: Visit(line, line))
visits.union(lines.map(lambda line: (line, line))).pprint()
ssc.start()
ssc.awaitTermination()
