"""Keeps the sum of each sensor's readings; a line is "<sensor> <reading>"."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


spark = SparkSession.builder.appName("StatefulSum").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
parts = F.split("value", " ")
readings = lines.select(
    parts[0].alias("sensor"), parts[1].cast("long").alias("reading")
)
totals = readings.groupBy("sensor").agg(F.sum("reading").alias("total"))
query = (
    totals.writeStream.outputMode("complete")
    .foreachBatch(process_batch)
    .option("checkpointLocation", sys.argv[3])
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
