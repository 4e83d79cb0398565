# Needs Spark 3.3 or newer.

"""Builds streams by properties and methods of objects."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StreamsOfObjects").getOrCreate()
host = sys.argv[1]
words = (
    spark.readStream.format("socket")
    .option("host", host)
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
    .select(F.explode(F.split(F.col("value"), " ")).alias("word"))
)


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
