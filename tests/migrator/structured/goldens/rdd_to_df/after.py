# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Frames").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
pairs = (
    lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .select("word", F.length(F.col("word")).alias("length"))
)


def show(batch):
    if batch.isEmpty():
        return
    sqlContext = batch.sparkSession
    frame = batch.select("word", F.col("length").cast("long").alias("letters"))
    frame.createOrReplaceTempView("words")
    sqlContext.sql("SELECT letters, count(*) AS n FROM words GROUP BY letters").show()
    # by length
    by_length = batch.groupBy("length").count()
    frame2 = by_length.select(
        F.col("length").cast("long").alias("letters"),
        F.col("count").alias("words"),
    )
    frame2.orderBy("letters").show()
    frame3 = batch.select("word", F.col("length").cast("long").alias("letters"))
    frame3.groupBy("word").max("letters").show(5)


def save(batch):
    if not batch.isEmpty():
        batch.select(F.col("word").alias("_1"), F.col("length").cast("long").alias("_2")).show()


def process_batch(batch, batch_id):
    show(batch)
    save(batch)


query = pairs.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
