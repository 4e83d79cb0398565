"""Counts words: with argparse, a session of its own, a thread that waits, and a file."""

import argparse
import os
import threading

from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int)
parser.add_argument("path")
options = parser.parse_args()


def report(rdd):
    if rdd.isEmpty():
        return
    rdd.toDF(["word", "count"]).show()
    print(rdd.count(), "words")
    with open(options.path, "a") as file:
        file.write(f"{rdd.count()}\n")


spark = SparkSession.builder.master(os.environ.get("MASTER", "spark://master:7077")).getOrCreate()
ssc = StreamingContext(spark.sparkContext, 1)
ssc.checkpoint("checkpoint")
words = ssc.socketTextStream("localhost", options.port).flatMap(str.split)
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(report)
counts.transform(lambda rdd: rdd.sortByKey()).pprint()
ssc.start()
threading.Thread(target=ssc.awaitTermination).start()
