# INITIAL_STATE: a key twice
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def add(new, old):
    return sum(new) + (old or 0)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(add, initialRDD=sc.parallelize([("a", 1), ("a", 2)])).pprint()
ssc.start()
ssc.awaitTermination()
