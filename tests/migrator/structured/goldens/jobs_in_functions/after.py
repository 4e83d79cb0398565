# Needs Spark 3.3 or newer.

"""Has two jobs in functions, and runs the one that its arguments say."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


def words(host, port):
    spark = SparkSession.builder.appName("Words").getOrCreate()
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


def process_batch2(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


def lengths(host, port):
    spark = SparkSession.builder.appName("Lengths").getOrCreate()
    # twice as long
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
    words = lines.select(F.length(F.col("value")).alias("word"))
    query = (
        words.writeStream.foreachBatch(process_batch2)
        .trigger(processingTime="2 seconds")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    run = words if sys.argv[3] == "words" else lengths
    run(sys.argv[1], int(sys.argv[2]))
