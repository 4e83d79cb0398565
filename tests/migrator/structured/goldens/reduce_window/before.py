"""Counts the words of the last three seconds, every second."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="ReduceWindow")
ssc = StreamingContext(sc, 1)

lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split())
counts = words.map(lambda word: (word, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 3, 1)
counts.pprint()

ssc.start()
ssc.awaitTermination()
