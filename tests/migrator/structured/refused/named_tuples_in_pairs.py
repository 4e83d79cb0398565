# NAMED_TUPLES: named tuples in records
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line, Visit(line, 1))).pprint()
ssc.start()
ssc.awaitTermination()
