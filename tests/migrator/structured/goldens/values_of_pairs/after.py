# Needs Spark 4.0 or newer.

from __future__ import print_function

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE_CHARACTERS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def process_batch(batch, batch_id):
    largest = batch.groupBy("key").agg(F.max(F.col("length")).alias("length"))
    largest.show(50, truncate=False)
    total = batch.agg(F.sum(F.col("length")).alias("length")).dropna()
    total.show(10, truncate=False)


def main(host, port):
    spark = SparkSession.builder.appName("ValuesOfPairs").getOrCreate()
    orders = (
        spark.readStream.format("socket")
        .option("host", host)
        .option("port", port)
        .load()
        .select(
            F.substring(F.col("value"), 1, 1).alias("key"),
            F.substring(F.col("value"), 2, 2147483647).alias("value"),
        )
    )
    items = orders.select("key", F.explode(F.split(F.col("value"), ",")).alias("item"))
    sizes = items.select(
        "key",
        F.length(F.btrim(F.col("item"), F.lit(WHITESPACE_CHARACTERS))).alias("length"),
    )
    query = sizes.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
    print("done")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
