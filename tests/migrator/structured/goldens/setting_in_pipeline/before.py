"""A pipeline that depends on a setting."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

port, mode = int(sys.argv[1]), sys.argv[2]
sc = SparkContext(appName="Setting")
ssc = StreamingContext(sc, 1)
words = ssc.socketTextStream("localhost", port).flatMap(lambda line: line.split(" "))
if mode == "letters":
    words = words.flatMap(lambda word: list(word))
counts = words.countByValue()
if mode != "quiet":
    counts.pprint()
counts.transform(lambda rdd: rdd.sortBy(lambda pair: -pair[1]).zipWithIndex()).foreachRDD(
    lambda rdd: print([pair for pair, place in rdd.collect() if place < 1])
)
ssc.start()
ssc.awaitTermination()
