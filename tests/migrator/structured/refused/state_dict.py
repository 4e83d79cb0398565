# STATE_TYPE: the type of `{}` is not known
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def update(new, kept):
    return kept or {}


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(update).pprint()
ssc.start()
ssc.awaitTermination()
