# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Operators").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    # the most frequent first
    (
        counts.orderBy(F.col("count").desc(), F.col("word").desc())
        .select("count", "word")
        .show(3, truncate=False)
    )
    counts.orderBy("word").show(10, truncate=False)
    counts.orderBy(F.col("word").desc()).select("word").show(10, truncate=False)
    batch.distinct().orderBy(F.length(F.col("word")), "word").show(20, truncate=False)
    (
        batch.groupBy()
        .count()
        .select(F.concat(F.col("count").cast("string"), F.lit(" words")).alias("value"))
        .show(10, truncate=False)
    )


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
