# Needs Spark 4.0 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Operators").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
pairs = lines.select(
    F.split(F.col("value"), " ")[0].alias("key"),
    (F.length(F.col("value")) % 7).alias("value"),
)


def process_batch(batch, batch_id):
    totals = (
        batch.groupBy("key")
        .agg(F.sum(F.col("value")).alias("total"), F.count(F.lit(1)).alias("count"))
    )
    totals.show(50, truncate=False)
    longest = batch.groupBy("key").agg(F.max(F.col("value")).alias("max"))
    longest.show(50, truncate=False)
    sums = (
        batch.groupBy("key")
        .agg(F.sum(F.col("value")).alias("total"), F.count(F.lit(1)).alias("count"))
    )
    sums.show(50, truncate=False)
    batch.groupBy("key").agg(F.sum(F.col("value")).alias("total")).show(50, truncate=False)


query = pairs.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
