"""Words of each second, and words since the start."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder, checkpoint = sys.argv[1:]
spark = SparkSession.builder.appName("TwoQueries").getOrCreate()
lines = spark.readStream.text(folder)
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


now_query = (
    words.writeStream.foreachBatch(process_now)
    .option("checkpointLocation", checkpoint + "/now")
    .trigger(processingTime="1 second")
    .start()
)
ever_query = (
    ever.writeStream.foreachBatch(process_ever)
    .outputMode("complete")
    .option("checkpointLocation", checkpoint + "/ever")
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
