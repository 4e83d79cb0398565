"""Saves the users that are seen in a topic, and logs how many records had none."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def log(batch, batch_id):
    without = batch.where("user IS NULL").count()
    with open("without.log", "a") as file:
        file.write("%d\n" % without)


def show_lengths(batch, batch_id):
    batch.select("key", F.array(F.length("value"))).show(10, truncate=False)


spark = SparkSession.builder.appName("KafkaSave").getOrCreate()
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", sys.argv[2])
    .load()
    .select(F.col("key").cast("string"), F.col("value").cast("string"))
)
users = messages.select(F.get_json_object("value", "$.user").alias("user"))
(
    users.where("user IS NOT NULL")
    .writeStream.format("text")
    .option("path", sys.argv[3])
    .option("checkpointLocation", sys.argv[3] + "-checkpoint")
    .trigger(processingTime="1 second")
    .start()
)
users.writeStream.foreachBatch(log).trigger(processingTime="1 second").start()
messages.writeStream.foreachBatch(show_lengths).trigger(processingTime="1 second").start()
spark.streams.awaitAnyTermination()
