# Needs Spark 3.3 or newer.

"""Counts the words of files."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Files").getOrCreate()
files = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)


def process_batch(batch, batch_id):
    (
        batch.groupBy()
        .count()
        .select(F.concat(F.col("count").cast("string"), F.lit(" line(s)")).alias("value"))
        .show(10, truncate=False)
    )
    (
        batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
        .groupBy("word")
        .count()
        .show(10, truncate=False)
    )


query = files.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
