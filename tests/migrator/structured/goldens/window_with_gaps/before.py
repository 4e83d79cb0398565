"""Counts the words of one second in three."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowWithGaps")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 1, 3).pprint()

ssc.start()
ssc.awaitTermination()
