# Needs Spark 3.3 or newer.

"""Counts lines, and keeps what its outputs give, which is nothing."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def report(batch):
    for line in sorted(row.value for row in batch.collect()):
        print(line)


spark = SparkSession.builder.appName("OutputsAssigned").getOrCreate()

lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    # nothing reads this
    batch.groupBy().count().show(10, truncate=False)
    report(batch.where(F.col("value").contains("a")))


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="2 seconds").start()
query.awaitTermination()
