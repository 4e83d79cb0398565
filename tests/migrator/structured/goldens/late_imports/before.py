"""Counts words; what it needs is imported where it is needed."""
from pyspark import SparkContext

sc = SparkContext(appName="Late")

from pyspark.streaming import StreamingContext

ssc = StreamingContext(sc, 1)

import sys
from operator import add

lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
counts = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1)).reduceByKey(add)
counts.pprint()
# windows of two batches
lines.window(2, 1).count().pprint()

import time

started = time.time()
ssc.start()
ssc.awaitTermination()
print(time.time() - started)
