# Needs Spark 4.0 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def readings(text):
    found = []
    for part in text.split(";"):
        try:
            found.append(float(part))
        except ValueError:
            pass
    return found


spark = SparkSession.builder.appName("Readings").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
sensors = lines.select(F.split(F.col("value"), r"\|")[0].alias("key"), "value")
readings_udf = F.udf(readings, "array<double>")
to_value = F.udf(lambda line: len(line.title()), "bigint")
to_value2 = F.udf(lambda line: line.title().swapcase(), "string")


def process_batch(batch, batch_id):
    # of each sensor
    values = batch.select("key", F.explode(readings_udf("value")).alias("item"))
    values.groupBy("key").agg(F.sum(F.col("item")).alias("item")).show(10, truncate=False)
    batch.select("key", to_value("value").alias("value")).show(10, truncate=False)
    batch.select("key", to_value2("value").alias("value")).show(10, truncate=False)


query = sensors.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
