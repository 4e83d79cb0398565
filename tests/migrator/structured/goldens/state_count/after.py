# Needs Spark 3.3 or newer.

"""Counts words since the start."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StateCount").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
counts = words.groupBy("word").count()


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


query = (
    counts.writeStream.foreachBatch(process_batch)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
