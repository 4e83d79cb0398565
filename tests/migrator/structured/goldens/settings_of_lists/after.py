# Needs Spark 3.3 or newer.

"""Gives its settings in a list, and calls `getOrCreate` of a context."""
import sys

from pyspark.sql import SparkSession

KEY = "spark.hadoop.some.setting"
SETTINGS = [("spark.some.setting", "1"), (KEY, "false")]

spark = (
    SparkSession.builder.appName("SettingsOfLists")
    .config("spark.some.setting", "1")
    .config(KEY, "false")
    .getOrCreate()
)
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
