# Needs Spark 3.3 or newer.

"""Streams that no output uses: nothing computes them, in DStreams neither."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Unused").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    # the running counts, of which nothing is shown
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
