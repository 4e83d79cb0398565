# Needs Spark 3.3 or newer.

"""Counts words in a class of its own, on a base class of the project."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main(argv):
    interval = 1
    host = argv[1]
    port = int(argv[2])
    spark = SparkSession.builder.appName("SharedBase").getOrCreate()
    shown = 5
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))

    def process_batch(batch, batch_id):
        # per batch
        batch.groupBy("word").count().show(shown, truncate=False)

    query = (
        words.writeStream.foreachBatch(process_batch)
        .trigger(processingTime=f"{interval} seconds")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(sys.argv)
