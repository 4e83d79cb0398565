# Needs Spark 4.0 or newer.

"""Keeps the longest and shortest words of each first letter."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"

spark = SparkSession.builder.appName("StateExtremes").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
# the first letter of a word, and its length
words = lines.select(
    F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"),
)
sizes = words.select(
    F.substring(F.col("word"), 1, 1).alias("key"),
    F.length(F.col("word")).alias("length"),
)
known = (
    sizes.groupBy("key")
    .agg(
        F.max(F.col("length")).alias("length"),
        F.min(F.col("length")).alias("length_2"),
        F.sum(F.col("length")).alias("length_3"),
        F.count(F.lit(1)).alias("count"),
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


query = (
    known.writeStream.foreachBatch(process_batch)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
