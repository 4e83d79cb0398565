# Needs Spark 3.3 or newer.

"""Counts words and first letters."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"

spark = SparkSession.builder.appName("StateTwo").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
words = lines.select(
    F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"),
)
totals = words.groupBy("word").count()


def process_totals(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


letters = words.groupBy(F.substring(F.col("word"), 1, 1).alias("key")).count()


def process_letters(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


totals_query = (
    totals.writeStream.foreachBatch(process_totals)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
letters_query = (
    letters.writeStream.foreachBatch(process_letters)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
