# STATE_FUNCTION: the state function must be a `def` without defaults
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.mapWithState(StateSpec.function(lambda key, value, state: value)).pprint()
ssc.start()
ssc.awaitTermination()
