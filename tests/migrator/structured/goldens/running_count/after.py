# Needs Spark 3.3 or newer.

"""Counts all words since the start."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(30, truncate=False)
    batch.unpersist()


if __name__ == "__main__":
    spark = SparkSession.builder.appName("RunningCount").getOrCreate()
    spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[3])
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .option("numPartitions", 1)
        .load()
    )
    pairs = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    totals = pairs.groupBy("word").count()
    query = (
        totals.writeStream.foreachBatch(process_batch)
        .outputMode("complete")
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()
