"""Counts words with an inverse function that Spark does not use in short windows."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowShortInverse")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 4, 1)
counts.pprint()

ssc.start()
ssc.awaitTermination()
