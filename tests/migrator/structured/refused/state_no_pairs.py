# PAIR: `updateStateByKey` needs pairs
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
lines.updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()
ssc.start()
ssc.awaitTermination()
