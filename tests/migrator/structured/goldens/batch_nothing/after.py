# Needs Spark 3.3 or newer.

"""Shows batches only where there is something to show."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

LIMIT = 2


def loud(rdd):
    errors = rdd.filter(lambda line: "ERROR" in line)
    if not errors.isEmpty():
        return errors.map(lambda line: line.lower())


def enough(time, rdd):
    if rdd.count() < LIMIT:
        return None
    return rdd.sortBy(len)


def report(rdd):
    print("longest: %s" % rdd.collect()[-1])


spark = SparkSession.builder.appName("BatchNothing").getOrCreate()
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
    errors = loud(lines)
    if errors is not None:
        for record in errors.take(4)[:3]:
            print(record)
    if errors is not None:
        print("%d errors" % errors.count())
    records = enough(batch_time, lines)
    if records is not None:
        report(records)
    records = (None if lines.isEmpty() else lines.map(len))
    if records is not None:
        for record in records.take(11)[:10]:
            print(record)


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
