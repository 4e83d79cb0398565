# Needs Spark 3.3 or newer.

"""Counts the words of two folders together."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"

spark = SparkSession.builder.appName("UnionOfFolders").getOrCreate()
first = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
    .where(F.col("value") != "")
)
second = (
    spark.readStream.text(sys.argv[2])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
    .where(~F.col("value").startswith("#"))
)
both = first.union(second)
words = both.select(
    F.explode(
        F.filter(
            F.array_remove(F.split(F.col("value"), WHITESPACE), ""),
            lambda word: F.length(word) > 1,
        ),
    ).alias("word"),
)


def process_batch(batch, batch_id):
    batch.groupBy("word").count().show(100, truncate=False)


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
