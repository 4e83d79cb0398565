# Needs Spark 4.0 or newer.

"""Counts the records of each key."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

BROKERS = sys.argv[1]
spark = SparkSession.builder.appName("KafkaKeys").getOrCreate()
records = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", BROKERS)
    .option("subscribe", "words")
    .option("kafka.group.id", "keys")
    .option("kafka.max.partition.fetch.bytes", "1048576")
    .load()
    .select(
        F.decode(F.col("key"), "UTF-8").alias("key"),
        F.decode(F.col("value"), "UTF-8").alias("value"),
    )
)


def process_batch(batch, batch_id):
    batch.where(F.col("key").isNotNull()).groupBy("key").count().show(10, truncate=False)
    batch.show(10, truncate=False)


query = records.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
