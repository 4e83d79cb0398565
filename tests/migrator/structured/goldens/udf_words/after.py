# Needs Spark 3.4 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def marked(line):
    """The words before a comment, with their places."""
    found = []
    for place, word in enumerate(line.split()):
        if word.startswith("#"):
            break
        if not word.isalpha():
            continue
        found.append((word.casefold(), place))
    return found


def process_batch(batch, batch_id):
    batch.show(20, truncate=False)
    batch.groupBy("word").count().show(10, truncate=False)


if __name__ == "__main__":
    spark = SparkSession.builder.appName("Words").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .option("numPartitions", 1)
        .load()
    )
    marked_udf = F.udf(marked, "array<struct<word: string, place: bigint>>")
    words = lines.select(F.inline(marked_udf("value")).alias("word", "place"))
    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
