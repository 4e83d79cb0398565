"""Counts words of each batch, and of the last four seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowAndBatch")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

pairs.reduceByKey(lambda a, b: a + b).pprint()
windowed = pairs.window(4, 2).reduceByKey(lambda a, b: a + b)
windowed.filter(lambda kv: kv[1] > 1).pprint()

ssc.start()
ssc.awaitTermination()
