"""Counts of the last seconds, also where nothing came."""
import json
import operator
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchWindowCounts")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

events = ssc.socketTextStream("localhost", int(sys.argv[1])).map(json.loads)
events.countByWindow(6, 1).pprint()
events.countByWindow(2, 2).pprint()
events.map(lambda event: tuple(sorted(event))).countByValueAndWindow(5, 1).pprint()
sizes = events.map(len).map(lambda size: [size])
sizes.reduceByWindow(lambda a, b: sorted(a + b), None, 3, 1).pprint()
events.map(lambda e: {"n": e.get("n", 0)}).map(lambda e: e["n"]).reduceByWindow(
    operator.add, operator.sub, 5, 1
).pprint()

ssc.start()
ssc.awaitTermination()
