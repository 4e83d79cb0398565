# ORDER: for the records of several batches together
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def total(key, value, state):
    count = (state.getOption() or 0) + 1
    state.update(count)
    return (key, count)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
totals = pairs.mapWithState(StateSpec.function(total))
totals.map(lambda pair: pair[0]).countByValueAndWindow(60, 10).saveAsTextFiles("out")
ssc.start()
ssc.awaitTermination()
