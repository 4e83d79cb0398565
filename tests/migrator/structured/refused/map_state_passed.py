# STATE_TYPE: `add(state, value)` has an effect besides the result
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def add(state, value):
    state.update(value)


def total(key, value, state):
    add(state, value)
    return (key, value)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(total)).pprint()
ssc.start()
ssc.awaitTermination()
