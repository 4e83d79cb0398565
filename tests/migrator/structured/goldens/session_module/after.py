# Needs Spark 3.3 or newer.

"""Spark's names come from the modules that define them."""
import sys

from pyspark.sql.session import SparkSession

spark = SparkSession.builder.appName("Modules").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .load()
)


def process_batch(batch, batch_id):
    counts = batch.groupBy("value").count()
    counts.show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
