# Needs Spark 3.3 or newer.

"""Keeps what batches give in a list, stops when it has two, and shows it."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

history = []


def keep(time, rdd):
    values = [float(value) for value in rdd.collect()]
    if values:
        history.append((len(history), max(values)))


def show(points):
    for number, value in points:
        print("%d: %.1f" % (number, value))


spark = SparkSession.builder.appName("Collected").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .option("numPartitions", 1)
    .load()
)
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
    .select(F.lit(True).alias("tick"))
)


def process_batch(batch, batch_id):
    batch_time = datetime.now().replace(microsecond=0)
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    keep(batch_time, lines.map(lambda line: line.strip()))


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
while len(history) < 2:
    query.awaitTermination(0.1)
query.stop()
show(history)
