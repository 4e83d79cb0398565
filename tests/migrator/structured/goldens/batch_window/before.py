"""The records of the last seconds, as sorted lists of what JSON has."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchWindow")
ssc = StreamingContext(sc, 1)

lines = ssc.textFileStream(sys.argv[1])
events = lines.map(json.loads)
recent = events.window(4, 2)
# by kind
kinds = recent.map(lambda event: (event["kind"], event)).groupByKey()
kinds.mapValues(lambda events: sorted(json.dumps(e, sort_keys=True) for e in events)).pprint(20)
kinds.count().pprint()
recent.foreachRDD(lambda time, rdd: print("last", rdd.map(len).sum()))
events.window(3).map(type).map(str).countByValue().pprint()

ssc.start()
ssc.awaitTermination()
