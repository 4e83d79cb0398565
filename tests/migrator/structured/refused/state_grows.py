# STATE_TYPE: the state has other types in each batch
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def update(new, kept):
    if not new:
        return kept
    return (kept or ()) + (len(new),)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(update).pprint()
ssc.start()
ssc.awaitTermination()
