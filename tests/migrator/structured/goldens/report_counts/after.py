# Needs Spark 3.3 or newer.

"""Prints the words of each batch, the most frequent first."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def report(batch):
    # an idle interval prints nothing
    if batch.isEmpty():
        return
    counts = batch.collect()
    for word, count in sorted(counts, key=lambda pair: (-pair[1], pair[0])):
        print("%s: %d" % (word, count))
    print(len(counts), "words")


spark = SparkSession.builder.appName("Report").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
pairs = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    report(batch.groupBy("word").count())


query = pairs.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
