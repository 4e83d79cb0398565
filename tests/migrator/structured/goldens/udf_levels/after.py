# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

LIMITS = {"disk": 90, "cpu": 75}


def usage(line):
    return int(line.rpartition(" ")[2].rstrip("%"))


def is_high(line):
    name = line.split(" ")[0]
    return usage(line) > LIMITS.get(name, 50)


spark = SparkSession.builder.appName("Levels").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
is_high_udf = F.udf(is_high, "boolean")
to_value = F.udf(lambda line: "%s!" % line.title(), "string")
high = lines.where(is_high_udf("value"))


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)
    batch.select(to_value("value").alias("value")).show(10, truncate=False)
    batch.where(F.col("value").contains("disk")).groupBy().count().show(10, truncate=False)


query = high.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
