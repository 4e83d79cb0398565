"""A window of a window, and a state that is updated at each slide."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchWindowOfWindow")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.textFileStream(sys.argv[1])
inner = lines.window(2, 2).map(lambda line: [line])
inner.window(4).map(lambda line: line[0]).pprint()
outer = inner.window(4, 4)
outer.map(lambda line: (len(line[0]), line)).updateStateByKey(
    lambda new, old: sum(new, old or [])
).mapValues(sorted).pprint()

ssc.start()
ssc.awaitTermination()
