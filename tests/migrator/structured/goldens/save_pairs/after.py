# Needs Spark 3.5 or newer.

"""
Word counts of every batch as text files, one folder per batch, and the most frequent words on
the screen.

    $ spark-submit save_to_files.py localhost 9999 /data/wordcount 3600

The last argument ends the job after that many seconds; without it the job runs until it is
killed.
"""
from __future__ import print_function

import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    (
        counts.select(F.udf(lambda *values: str(values))("word", "count").alias("value"))
        .write.text(f"{prefix}-{int(datetime.now().timestamp() * 1000)}.txt")
    )
    counts.orderBy(F.col("count").desc(), "word").show(8, truncate=False)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        print("Usage: save_to_files.py <hostname> <port> <output prefix> [seconds]",
              file=sys.stderr)
        sys.exit(-1)
    prefix = sys.argv[3]

    spark = (
        SparkSession.builder.appName("SaveToFiles")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )

    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    words = lines.select(
        F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"),
    )

    query = (
        words.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="2 seconds")
        .start()
    )
    if len(sys.argv) == 5:
        query.awaitTermination(int(sys.argv[4]))
        query.stop()
        spark.stop()
    else:
        query.awaitTermination()
