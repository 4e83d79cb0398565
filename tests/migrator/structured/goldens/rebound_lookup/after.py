# Needs Spark 3.3 or newer.

"""Joins with a table that the outputs of the job replace."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

known = None


def refresh(rdd):
    global known
    rows = rdd.filter(lambda line: "=" in line).map(lambda line: tuple(line.split("=", 1)))
    if not rows.isEmpty():
        known = spark.sparkContext.parallelize(rows.collect())


def with_names(rdd):
    if known is None:
        return rdd.map(lambda key: (key, None))
    return rdd.map(lambda key: (key, 1)).leftOuterJoin(known).mapValues(lambda both: both[1])


def process_batch(batch, batch_id):
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value).cache()
    records = with_names(lines.filter(lambda line: "=" not in line))
    for record in records.take(11)[:10]:
        print(record)
    refresh(lines)
    lines.unpersist()


if __name__ == "__main__":
    spark = SparkSession.builder.appName("ReboundLookup").getOrCreate()
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
    query = (
        lines.unionByName(ticks, allowMissingColumns=True)
        .writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()
