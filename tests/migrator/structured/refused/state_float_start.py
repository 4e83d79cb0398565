# MIXED_TYPES: a sum of integers becomes a float
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0.0)).pprint()
ssc.start()
ssc.awaitTermination()
