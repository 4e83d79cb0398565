# STATE_TYPE: may return None
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(key, value, state):
    state.update(value)
    if value > 3:
        return (key, value)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(total)).pprint()
ssc.start()
ssc.awaitTermination()
