# Needs Spark 3.3 or newer.

"""Reads lines of a socket, and beside them a queue of numbers that has nothing to do with them."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("QueueAndSocket").getOrCreate()

lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .option("numPartitions", 1)
    .load()
)


def process_lines(batch, batch_id):
    lines = batch.rdd.map(lambda row: row.value)
    records = lines.flatMap(lambda line: line.split(" ")).mapPartitions(sorted)
    for record in records.take(11)[:10]:
        print(record)


ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
rdds = [spark.sparkContext.parallelize(each) for each in [range(3), range(5, 2, -1), [], [7]]]


def process_ticks(batch, batch_id):
    rdd = rdds.pop(0) if rdds else spark.sparkContext.parallelize([], 1)
    records = rdd.map(lambda n: n * n)
    records.saveAsTextFile(f"out/squares-{int(datetime.now().timestamp() * 1000)}")


lines_query = (
    lines.writeStream.foreachBatch(process_lines)
    .trigger(processingTime="1 second")
    .start()
)
ticks_query = (
    ticks.writeStream.foreachBatch(process_ticks)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
