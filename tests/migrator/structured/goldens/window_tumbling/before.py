"""Counts words in windows without overlap."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowTumbling")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))

pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 3, 3).transform(lambda rdd: rdd.filter(lambda kv: kv[1] > 1)).pprint()

ssc.start()
ssc.awaitTermination()
