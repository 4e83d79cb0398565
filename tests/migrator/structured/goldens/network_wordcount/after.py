# Needs Spark 3.3 or newer.

"""Counts the words that arrive on a socket, second by second."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: network_wordcount.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)
    spark = SparkSession.builder.appName("NetworkWordCount").getOrCreate()

    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))

    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
