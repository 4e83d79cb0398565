# Needs Spark 3.3 or newer.

"""Words and their counts, by functions that are given streams."""
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
import sys

HOST = "localhost"


def process_batch(batch, batch_id):
    words_2 = batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    words = words_2.where(F.col("word") != "")
    counts = words.groupBy("word").count()
    counts.show(5, truncate=False)
    # words of lines
    # by spaces
    lines_2 = batch.where(F.col("value").contains("a"))
    words_3 = lines_2.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    words_3.where(F.col("word") != "").show(10, truncate=False)


if __name__ == "__main__":
    # no page
    spark = (
        SparkSession.builder.appName("StreamFunctions")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    port = int(sys.argv[2])
    lines = (
        spark.readStream.format("socket")
        .option("host", HOST)
        .option("port", port)
        .option("numPartitions", 1)
        .load()
    )
    query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
