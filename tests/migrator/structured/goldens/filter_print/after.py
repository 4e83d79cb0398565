# Needs Spark 3.5 or newer.

"""Prints how many errors there are in a log, and the first of them."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE_CHARACTERS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def report(batch):
    if batch.isEmpty():
        return
    errors = sorted(row.value for row in batch.collect())
    print("%d errors" % len(errors))
    for error in errors[:2]:
        print(error)


def process_batch(batch, batch_id):
    values = batch.select(
        F.upper(F.btrim(F.col("value"), F.lit(WHITESPACE_CHARACTERS))).alias("value"),
    )
    report(values)
    batch.show(3, truncate=False)


def main():
    spark = SparkSession.builder.appName("Errors").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .option("numPartitions", 1)
        .load()
    )
    errors = lines.where(F.col("value").contains("ERROR"))
    query = (
        errors.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="2 seconds")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
