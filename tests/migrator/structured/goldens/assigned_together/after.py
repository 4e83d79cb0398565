# Needs Spark 3.3 or newer.

"""Assigns contexts and streams together, and says their types."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("AssignedTogether").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    # both of the lines
    words = batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    long = batch.where(F.length(F.col("value")) > 2)
    words.show(10, truncate=False)
    long.show(10, truncate=False)
    first = words.groupBy("word").count()
    first.show(10, truncate=False)
    first.where(F.col("count") > 1).show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
