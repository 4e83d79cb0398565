"""Counts words with an inverse function, and drops those of which none is left."""
import operator
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowFilter")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

# words that have gone are not shown
counts = pairs.reduceByKeyAndWindow(
    operator.add, operator.sub, 6, 1, filterFunc=lambda kv: kv[1] > 0)
counts.pprint()

ssc.start()
ssc.awaitTermination()
