"""Streams that no output uses: nothing computes them, in DStreams neither."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def total(new, old):
    return sum(new, old or 0)


sc = SparkContext(appName="Unused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
words = lines.flatMap(lambda line: line.split(" "))
pairs = words.map(lambda word: (word, 1))
# the running counts, of which nothing is shown
pairs.updateStateByKey(total)
lines.map(sys.stdout.write)
words.transform(lambda rdd: rdd.sortBy(lambda word: word))
counts = pairs.reduceByKey(lambda a, b: a + b)
counts.filter(lambda pair: 1 / 0)
counts.pprint()
ssc.start()
ssc.awaitTermination()
