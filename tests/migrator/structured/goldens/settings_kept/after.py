# Needs Spark 3.3 or newer.

"""Asks its settings for one, and gets some from the command line."""
import sys

from pyspark import SparkConf
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

conf = SparkConf().set("spark.streaming.backpressure.enabled", "true")
for pair in sys.argv[1:]:
    conf.set(*pair.split("="))
print(conf.get("spark.words", "none"))
spark = SparkSession.builder.config(conf=conf).appName("SettingsKept").getOrCreate()
lines = spark.readStream.format("socket").option("host", "localhost").option("port", 9999).load()
words = lines.select(F.explode(F.split(F.col("value"), r"\|")).alias("word"))


def process_batch(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
