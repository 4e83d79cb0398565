# Needs Spark 4.0 or newer.

"""Counts the words of two topics."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("KafkaDirect").getOrCreate()
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "words,more")
    .option("startingOffsets", "earliest")
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"))
)
words = messages.select(
    F.explode(
        F.split(F.coalesce(F.col("value"), F.raise_error("None has no method split")), " "),
    ).alias("word"),
)


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
