# Needs Spark 4.0 or newer.

"""Reads a folder or a socket, as its arguments say."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("AlternativeSources").getOrCreate()
if len(sys.argv) > 4:
    # from files
    pairs = (
        spark.readStream.text(sys.argv[4])
        .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
        .select(F.split(F.col("value"), ",").alias("fields"))
    )
    lines = pairs.select(F.concat(F.col("fields")[0], F.lit("!")).alias("line"))
else:
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
        .select(F.col("value").alias("line"))
    )
if "-w" in sys.argv:
    lines = lines.select(F.explode(F.split(F.col("line"), " ")).alias("line"))


def process_batch(batch, batch_id):
    counts = batch.groupBy("line").count()
    counts.show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
