# Needs Spark 4.0 or newer.

"""Sales with the names of their shops; shops that are not known are left out."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Enriched").getOrCreate()

shops = spark.createDataFrame([("s1", "Oslo"), ("s2", "Rome"), ("s2", "Roma")], ["key", "value"])
sales = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
    .where(F.size(F.split(F.col("value"), ";")) == 2)
    .select(
        F.split(F.col("value"), ";")[0].alias("key"),
        F.split(F.col("value"), ";")[1].alias("value"),
    )
)
named = sales.join(shops.select("key", F.col("value").alias("value_2")), "key")
records = named.select(F.concat(F.col("value_2"), F.lit(": "), F.col("value")).alias("value"))


def process_batch(batch, batch_id):
    batch.show(20, truncate=False)


query = records.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
