# Needs Spark 3.3 or newer.

"""Functions that give what their own name means from there on, and say what they have made."""
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    found = (
        batch.where(F.substring(F.lower(F.col("word")), 1, 1) == "#")
        .select(F.lower(F.col("word")).alias("word"))
    )
    tags = found.groupBy("word").count()
    tags.show(10, truncate=False)
    counts = batch.where(F.col("word").isin("data", "spark")).groupBy("word").count()
    counts.show(10, truncate=False)


if __name__ == "__main__":
    spark = (
        SparkSession.builder.appName("OwnNames")
        .config("spark.executorEnv.LEVEL", "1")
        .getOrCreate()
    )
    lines = (
        spark.readStream.format("socket")
        .option("host", "localhost")
        .option("port", 9999)
        .load()
    )
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
