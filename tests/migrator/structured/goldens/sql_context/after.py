# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Hashtags").getOrCreate()


def show_most_used(batch):
    if batch.isEmpty():
        return
    frame = batch.select(F.col("word").alias("tag"), F.col("count").alias("used"))
    frame.createOrReplaceTempView("tweets")
    # the most used ones first
    top = batch.sparkSession.sql("select tag, used from tweets order by used desc, tag limit 3")
    top.show()


lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
tags = (
    lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .where(F.col("word").startswith("#"))
)


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    show_most_used(counts)


query = tags.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
