# Needs Spark 3.3 or newer.

"""Keeps its streams in tuples and dicts."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StreamsInContainers").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
# both of them
stream_2 = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    short = batch.where(F.length(F.col("word")) < 3)
    pair_1 = batch.where(F.length(F.col("word")) > 2)
    loud = pair_1.select(F.concat(F.col("word"), F.lit("!")).alias("word"))
    short.groupBy("word").count().show(10, truncate=False)
    loud.groupBy("word").count().show(10, truncate=False)
    short.where(F.length(F.col("word")) == 1).show(10, truncate=False)
    short.where(F.length(F.col("word")) == 2).show(10, truncate=False)


print('small', file=sys.stderr)
print('loud', file=sys.stderr)
query = stream_2.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
