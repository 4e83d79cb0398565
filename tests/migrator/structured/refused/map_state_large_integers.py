# INT_RANGE: an integer that the function makes may not fit
from dstream_compat import StateSpec, StreamingContext
from pyspark import SparkContext


def update(key, value, state):
    known = state.get() if state.exists() else 1
    state.update(known * 2)
    return key


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
pairs = ssc.textFileStream("in").map(lambda line: (line[:1], line))
pairs.mapWithState(StateSpec.function(update)).pprint()
ssc.start()
ssc.awaitTermination()
