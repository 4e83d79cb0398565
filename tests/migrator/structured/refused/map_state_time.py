# BATCH_TIME: is the time of the trigger
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def late(time, key, value, state):
    state.update(value)
    return (key, time.strftime('%H'))


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(late)).pprint()
ssc.start()
ssc.awaitTermination()
