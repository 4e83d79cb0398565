# Needs Spark 3.3 or newer.

"""Words of each second, and words since the start."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder, checkpoint = sys.argv[1:]
spark = SparkSession.builder.appName("TwoQueries").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", checkpoint)
lines = (
    spark.readStream.text(folder)
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
words = (
    lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .where(F.col("word") != "")
)


def process_now(batch, batch_id):
    now = batch.groupBy("word").count()
    now.show(20, truncate=False)


ever = words.groupBy("word").count()


def process_ever(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


now_query = words.writeStream.foreachBatch(process_now).trigger(processingTime="1 second").start()
ever_query = (
    ever.writeStream.foreachBatch(process_ever)
    .outputMode("complete")
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
