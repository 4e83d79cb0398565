# IDLE: the function may change a state without new values
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def decay(new, level):
    return (level or 0) // 2 + sum(new)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(decay).pprint()
ssc.start()
ssc.awaitTermination()
