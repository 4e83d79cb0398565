# Needs Spark 4.0 or newer.

"""Reads with settings that are put together."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("KafkaMergedSettings").getOrCreate()
lines = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "words,more")
    .option("kafka.group.id", "merged")
    .option("kafka.session.timeout.ms", "10000")
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"))
)
lines2 = lines.where(F.col("value").isNotNull() & F.col("value").startswith("a"))


def process_batch(batch, batch_id):
    batch.select(F.col("value").alias("line")).show(10, truncate=False)


query = lines2.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
