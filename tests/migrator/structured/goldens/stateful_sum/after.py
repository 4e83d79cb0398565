# Needs Spark 4.0 or newer.

"""Keeps the sum of each sensor's readings; a line is "<sensor> <reading>"."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StatefulSum").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[3])
readings = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
    .select(F.split(F.col("value"), " ").alias("parts"))
    .select(
        "parts",
        F.when(F.size(F.col("parts")) == 2, F.col("parts")[1]).otherwise(
            F.raise_error("the list has another length"),
        ).alias("value_text"),
    )
    .select(
        F.when(F.size(F.col("parts")) == 2, F.col("parts")[0]).otherwise(
            F.raise_error("the list has another length"),
        ).alias("key"),
        F.when(
            F.col("value_text").rlike(r"\A[+-]?[0-9]{1,18}\z"),
            F.col("value_text").cast("long"),
        ).otherwise(F.raise_error(F.concat(F.lit("not an integer: "), F.col("value_text")))).alias(
            "value",
        ),
    )
)
totals = readings.groupBy("key").agg(F.sum(F.col("value")).alias("total"))


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
