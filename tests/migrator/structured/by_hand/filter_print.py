"""Prints how many errors there are in a log, and the first of them."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def report(batch, batch_id):
    rows = batch.select(F.upper(F.trim("value")).alias("value")).sort("value").collect()
    if rows:
        print("%d errors" % len(rows))
        for row in rows[:2]:
            print(row.value)


def process_batch(batch, batch_id):
    report(batch, batch_id)
    batch.show(3, truncate=False)


def main():
    spark = SparkSession.builder.appName("Errors").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    errors = lines.where(F.col("value").contains("ERROR"))
    query = (
        errors.writeStream.foreachBatch(process_batch).trigger(processingTime="2 seconds").start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
