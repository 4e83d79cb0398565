# STATE_TYPE: the state is int or str
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def update(new, kept):
    if not new:
        return kept
    return 'many' if len(new) > 1 else new[0]


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(update).pprint()
ssc.start()
ssc.awaitTermination()
