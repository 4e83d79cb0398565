# Needs Spark 4.0 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# two cores are enough
# less noise
spark = (
    SparkSession.builder.appName("LogLevels")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.log.level", "WARN")
    .getOrCreate()
)

lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)

# what matters
serious = lines.where(F.split(F.col("value"), " ")[0].isin("ERROR", "WARN"))


def process_batch(batch, batch_id):
    # how often each level occurs
    batch.groupBy(F.split(F.col("value"), " ")[0].alias("value")).count().show(10, truncate=False)
    # and how many there are
    batch.groupBy().count().show(10, truncate=False)


query = serious.writeStream.foreachBatch(process_batch).trigger(processingTime="2 seconds").start()
query.awaitTermination()
