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


def process_batch(batch, batch_id):
    words = batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    counts = words.groupBy("word").count()
    lengths = words.select("word", F.length(F.col("word")).alias("length"))
    counts.join(lengths, "word").show(50, truncate=False)
    first = batch.select(F.split(F.col("value"), " ")[0].alias("key"))
    (
        counts.join(
            first.select(F.col("key").alias("word"), F.lit("first").alias("value")),
            "word",
            "left",
        )
        .show(50, truncate=False)
    )
    (
        counts.join(first.select(F.col("key").alias("word")), "word", "left_anti")
        .show(50, truncate=False)
    )
    (
        first.select("key", F.lit("first").alias("value"))
        .join(lengths.select(F.col("word").alias("key"), "length"), "key")
        .show(50, truncate=False)
    )


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
