# Needs Spark 3.3 or newer.

"""Calls functions in each interval, with input or without."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

silent = 0


def watch(rdd):
    global silent
    silent = silent + 1 if rdd.isEmpty() else 0
    print("silent for", silent)


def keep(rdd):
    if rdd.isEmpty():
        return
    print("kept", rdd.map(vars).collect())


class Line:
    def __init__(self, text):
        self.text = text


spark = SparkSession.builder.appName("BatchIdle").getOrCreate()

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


def process_lines(batch, batch_id):
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    watch(lines.map(Line))
    keep(lines.map(Line))
    has_input = not batch.where("tick IS NULL").isEmpty()
    records = (
        spark.sparkContext.parallelize(
            [lines.filter(lambda line: line < "b").count()] if has_input else [],
            1,
        )
        .map(lambda n: "%d lines" % n)
    )
    for record in records.take(11)[:10]:
        print(record)
    records = spark.sparkContext.parallelize(
        [lines.map(len).map(lambda record: (None, record)).reduceByKey(max, 1).values().count()],
        1,
    )
    for record in records.take(11)[:10]:
        print(record)


# nothing of these is done without input
files = (
    spark.readStream.text(sys.argv[2])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)


def process_files(batch, batch_id):
    files = batch.rdd.map(lambda row: row.value)
    keep(files.map(Line))
    records2 = files.map(Line).map(vars)
    records = records2.sortBy(str)
    for record in records.take(11)[:10]:
        print(record)


lines_query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_lines)
    .trigger(processingTime="1 second")
    .start()
)
files_query = (
    files.writeStream.foreachBatch(process_files)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
