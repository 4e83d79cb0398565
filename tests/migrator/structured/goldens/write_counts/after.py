# Needs Spark 3.3 or newer.

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def main(host, port, output):
    spark = SparkSession.builder.appName("WriteCounts").getOrCreate()

    pairs = (
        spark.readStream.format("socket")
        .option("host", host)
        .option("port", port)
        .load()
        .select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
    )

    def write_counts(batch):
        """Appends the counts of a batch to a file."""

        # common words say nothing
        counts = batch.where(~F.col("word").isin("a", "the")).collect()
        if counts:
            with open(os.path.join(output, "counts.txt"), "a") as f:
                for word, count in sorted(counts):
                    f.write("%s\t%d\n" % (word, count))

    def process_batch(batch, batch_id):
        write_counts(batch.groupBy("word").count())

    query = pairs.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
