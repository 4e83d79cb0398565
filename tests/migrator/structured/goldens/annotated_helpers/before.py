"""Helpers whose annotations say RDD, and which get streams."""
import sys
from typing import List

from pyspark import RDD, SparkContext
from pyspark.streaming import DStream, StreamingContext


def tokens(lines: RDD) -> RDD:
    return lines.flatMap(lambda line: line.lower().split(" "))


def frequent(words: "RDD[str]", least: int = 2) -> "DStream[str]":
    counts: RDD = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    return counts.filter(lambda pair: pair[1] >= least)


def top(rdd: RDD) -> List[str]:
    return [word for word, _ in rdd.takeOrdered(2, key=lambda pair: (-pair[1], pair[0]))]


sc = SparkContext(appName="Annotated")
ssc = StreamingContext(sc, 1)
lines: DStream = ssc.socketTextStream("localhost", int(sys.argv[1]))
frequent(tokens(lines)).pprint()
frequent(tokens(lines), 1).foreachRDD(lambda rdd: print(top(rdd)))
ssc.start()
ssc.awaitTermination()
