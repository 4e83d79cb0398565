# Needs Spark 4.0 or newer.

"""Counts words with functions of other files."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from word_parts.context import SECONDS, logger
from word_parts.steps import parse


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(5, truncate=False)


if __name__ == "__main__":
    logger.info("starting %s", "SeveralFiles")
    spark = SparkSession.builder.appName("SeveralFiles").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    # of each batch
    # a record for each word
    words = (
        lines.select(F.explode(F.split(F.rtrim(F.col("value"), F.lit(".,!")), " ")).alias("word"))
        .where(F.col("word") != "")
    )
    print(parse("a b"), file=sys.stderr)
    query = (
        words.writeStream.foreachBatch(process_batch)
        .trigger(processingTime=f"{SECONDS} seconds")
        .start()
    )
    query.awaitTermination()
