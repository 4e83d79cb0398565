# STATE_TYPE: changes a list in place
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(key, value, state):
    values = state.getOption() or []
    values.append(value)
    state.update(values)
    return (key, len(values))


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(total)).pprint()
ssc.start()
ssc.awaitTermination()
