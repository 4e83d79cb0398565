# Needs Spark 3.3 or newer.

"""Tests and prints its streams as objects, and keeps what outputs give."""
import sys

from pyspark import *
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StreamValues").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    # to see it
    batch.show(10, truncate=False)
    batch.where(F.col("value") != "").show(10, truncate=False)
    # in capitals
    words = batch.select(F.upper(F.col("value")).alias("word"))
    words.show(10, truncate=False)
    batch.select(F.length(F.col("value")).alias("length")).show(10, truncate=False)


third = None
if third is None:
    print("shown")
query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
