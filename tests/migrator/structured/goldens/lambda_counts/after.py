# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    errors = batch.where(F.col("value").contains("ERROR"))
    print("errors:", errors.count())
    if errors.count() > 1:
        print("ERROR", "s" * errors.count())
    print("lines:", batch.count())


if __name__ == "__main__":
    spark = SparkSession.builder.appName("Counts").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
