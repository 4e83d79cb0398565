# NO_SOURCE: the function is not written
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

from totals import update

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(update).pprint()
ssc.start()
ssc.awaitTermination()
