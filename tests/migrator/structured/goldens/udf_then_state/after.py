# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def amount(line):
    name, _, text = line.partition(":")
    try:
        return name, float(text)
    except ValueError:
        return name, 0.0


spark = SparkSession.builder.appName("Amounts").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
amount_udf = F.udf(amount, "struct<name: string, text: double>")
totals = (
    lines.select(amount_udf("value").alias("record"))
    .groupBy(F.col("record")["name"].alias("name"))
    .agg(F.sum(F.col("record")["text"]).alias("text"))
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(10, truncate=False)
    batch.unpersist()


query = (
    totals.writeStream.foreachBatch(process_batch)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
