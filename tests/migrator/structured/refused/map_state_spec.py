# STATE_SPEC: the StateSpec is not written in the call
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(key, value, state):
    state.update(value)
    return (key, value)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
spec = StateSpec.function(total)
pairs.mapWithState(spec).pprint()
ssc.start()
ssc.awaitTermination()
