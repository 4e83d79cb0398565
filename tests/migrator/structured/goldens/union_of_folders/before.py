"""Counts the words of two folders together."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="UnionOfFolders")
ssc = StreamingContext(sc, 1)
first = ssc.textFileStream(sys.argv[1]).filter(lambda line: line != "")
second = ssc.textFileStream(sys.argv[2]).filter(lambda line: not line.startswith("#"))
both = first.union(second)
words = both.flatMap(lambda line: [word for word in line.split() if len(word) > 1])
words.countByValue().pprint(100)
ssc.start()
ssc.awaitTermination()
