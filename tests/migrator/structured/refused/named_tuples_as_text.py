# TEXT_OF_RECORD: the text of named tuples
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: Visit(line, 1)).saveAsTextFiles("visits")
ssc.start()
ssc.awaitTermination()
