# ORDER: deals lines out to several partitions
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def last(new, kept):
    return new[-1] if new else kept


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
ssc.socketTextStream("localhost", 9999).map(lambda line: (line, len(line))).updateStateByKey(last).pprint()
ssc.start()
ssc.awaitTermination()
