"""Counts words and lines over windows of a length that is an argument."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

length, slide = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) == 5 else (60, 10)
sc = SparkContext(appName="WindowArguments")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
counts = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1)) \
              .reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, length, slide)
counts.map(lambda kv: ("word", kv[0], kv[1])).pprint()
lines.countByWindow(length, slide).map(lambda n: "%d lines" % n).pprint()

ssc.start()
ssc.awaitTermination()
