"""
Counts the words that arrive on a TCP socket, second by second.

    $ nc -lk 9999
    $ spark-submit network_wordcount.py localhost 9999
"""
from __future__ import print_function

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: network_wordcount.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    spark = SparkSession.builder.appName("NetworkWordCount").getOrCreate()

    text = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    words = (
        text.select(
            F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"),
        )
        .select(F.lower(F.col("word")).alias("word"))
    )

    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
