# Needs Spark 3.3 or newer.

"""Gives one name to several streams, and several names to one."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("ReboundStreams").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_lines(batch, batch_id):
    batch.show(10, truncate=False)
    # the lines of the socket
    batch.where(F.col("value").contains("a")).show(10, truncate=False)


lines_2 = (
    spark.readStream.text(sys.argv[3])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)


def process_lines_2(batch, batch_id):
    batch.show(10, truncate=False)
    lines_3 = batch.select(F.concat(F.col("value"), F.lit("!")).alias("value"))
    lines_3.show(10, truncate=False)


lines_query = (
    lines.writeStream.foreachBatch(process_lines)
    .trigger(processingTime="1 second")
    .start()
)
lines_2_query = (
    lines_2.writeStream.foreachBatch(process_lines_2)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
