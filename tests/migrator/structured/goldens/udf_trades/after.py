# Needs Spark 3.3 or newer.

"""Sums the prices of trades; a line that is no trade is left out."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


# a trade is "<symbol>,<price>"
def parse_trade(line):
    parts = line.split(",")
    if len(parts) != 2:
        return None
    try:
        return parts[0].strip(), float(parts[1])
    except ValueError:
        return None


spark = SparkSession.builder.appName("Trades").getOrCreate()

lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
parse_trade_udf = F.udf(parse_trade, "struct<key: string, value: double>")
trades = (
    lines.select(parse_trade_udf("value").alias("trade"))
    .where(F.col("trade").isNotNull())
    .select("trade.*")
)


def process_batch(batch, batch_id):
    batch.groupBy("key").agg(F.sum(F.col("value")).alias("total")).show(10, truncate=False)
    # what is expensive
    batch.where((F.col("value") > 100.0) & ~F.isnan(F.col("value"))).show(10, truncate=False)


query = trades.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
