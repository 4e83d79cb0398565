# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Chain").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
to_price = F.udf(lambda line: float(line.split("=")[1]), "double")
to_str = F.udf(lambda value: str(value), "string")
prices = lines.where(F.col("value").contains("=")).select(to_price("value").alias("price"))


def process_batch(batch, batch_id):
    batch.where((F.col("price") > 0.5) & ~F.isnan(F.col("price"))).show(10, truncate=False)
    batch.select(to_str("price").alias("value")).show(10, truncate=False)


query = prices.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
