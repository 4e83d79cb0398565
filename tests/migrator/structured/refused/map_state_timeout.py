# TIMEOUT: counts from the time of the trigger
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(key, value, state):
    return (key, 1)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(total).timeout(30)).pprint()
ssc.start()
ssc.awaitTermination()
