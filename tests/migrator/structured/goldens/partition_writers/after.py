# Needs Spark 3.3 or newer.

"""Writes each partition through a connection of its own."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


class Connection:
    def __init__(self, place):
        self.place = place

    def send(self, line):
        with open(self.place, "a") as out:
            out.write(line + "\n")


def send_partition(rows):
    connection = Connection("rows.txt")
    for key, value in rows:
        connection.send("%s=%s" % (key, value))


spark = SparkSession.builder.appName("Writers").master("local[2]").getOrCreate()
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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    pairs = (
        lines.map(lambda line: line.partition(":"))
        .map(lambda parts: (parts[0], parts[2]))
        .cache()
    )
    records = pairs.groupByKey().mapValues(sorted)
    records.foreachPartition(send_partition)
    pairs.repartition(1).foreachPartition(lambda rows: print(len(list(rows))))
    pairs.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
