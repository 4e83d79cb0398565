# Needs Spark 3.5 or newer.

"""Two totals of a job that a function builds."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def process_longest(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(10, truncate=False)
    batch.unpersist()


def process_words(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


def build(folder, checkpoint):
    spark = SparkSession.builder.appName("StateCreated").getOrCreate()

    words = (
        spark.readStream.text(folder)
        .select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
    )
    longest = (
        words.groupBy(F.substring(F.col("word"), 1, 1).alias("key"))
        .agg(F.max(F.length(F.col("word"))).alias("length"))
    )
    return [
        (
            longest.writeStream.foreachBatch(process_longest)
            .outputMode("complete")
            .option("checkpointLocation", checkpoint + "/state_created/longest")
            .trigger(processingTime="1 second")
        ),
        (
            words.writeStream.foreachBatch(process_words)
            .option("checkpointLocation", checkpoint + "/state_created/words")
            .trigger(processingTime="1 second")
        ),
    ]


if __name__ == "__main__":
    writers = build(sys.argv[1], sys.argv[2])
    queries = [writer.start() for writer in writers]
    try:
        SparkSession.active().streams.awaitAnyTermination()
    finally:
        for query in queries:
            query.stop()
        SparkSession.active().stop()
