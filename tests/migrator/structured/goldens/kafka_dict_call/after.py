# Needs Spark 4.0 or newer.

"""Reads with settings of a call of dict."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("KafkaDictCall").getOrCreate()
topic = "words"
lines = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", topic)
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"))
)


def process_batch(batch, batch_id):
    batch.groupBy().count().show(10, truncate=False)
    batch.select(F.col("value").alias("line")).show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
