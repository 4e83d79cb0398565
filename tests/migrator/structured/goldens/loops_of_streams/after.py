# Needs Spark 3.3 or newer.

"""Builds and unites streams in loops over what is written down."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

first, second, third, fourth = sys.argv[1:]
FOLDERS = [first, second]
spark = SparkSession.builder.appName("LoopsOfStreams").getOrCreate()
# of each folder
lines = (
    spark.readStream.text(first)
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
lines_2 = (
    spark.readStream.text(second)
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
records = lines_2.select(F.concat(F.col("value"), F.lit("!")).alias("value"))
stream = lines.select(F.concat(F.col("value"), F.lit("!")).alias("value")).union(records)


def process_lines(batch, batch_id):
    batch.show(10, truncate=False)


stream2 = (
    spark.readStream.text(fourth)
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
stream3 = (
    spark.readStream.text(third)
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
    .select("value", F.lit(1).alias("value_2"))
    .union(stream2.select("value", F.lit(1).alias("value_2")))
)


def process_counts(batch, batch_id):
    counts = batch.groupBy("value").count()
    counts.show(10, truncate=False)


lines_query = (
    stream.writeStream.foreachBatch(process_lines)
    .trigger(processingTime="1 second")
    .start()
)
counts_query = (
    stream3.writeStream.foreachBatch(process_counts)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
