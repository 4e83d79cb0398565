# Needs Spark 3.3 or newer.

"""Counts words in an object of its own."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


if __name__ == "__main__":
    host = sys.argv[1]
    port = int(sys.argv[2])
    spark = SparkSession.builder.appName("JobInAClass").getOrCreate()
    # the source
    words = (
        spark.readStream.format("socket")
        .option("host", host)
        .option("port", port)
        .load()
        .select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    )
    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
