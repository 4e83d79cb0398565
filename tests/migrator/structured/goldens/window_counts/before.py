"""Counts the words of the last four seconds, every two seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowCounts")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2)
counts.pprint()

ssc.start()
ssc.awaitTermination()
