# Needs Spark 4.0 or newer.

"""Saves the values of a topic, which may be missing."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder = sys.argv[2]
prefix = folder + "/values"

spark = SparkSession.builder.appName("KafkaSaved").getOrCreate()
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "words")
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"))
)


def process_batch(batch, batch_id):
    (
        batch.select(F.coalesce(F.col("value"), F.lit("None")).alias("value"))
        .write.text(f"{prefix}-{int(datetime.now().timestamp() * 1000)}")
    )


query = messages.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
