# UNKNOWN_FUNCTION: rows in place of named tuples
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
visits = lines.map(lambda line: Visit(line, line))
visits.map(lambda visit: visit.page.title()).pprint()
ssc.start()
ssc.awaitTermination()
