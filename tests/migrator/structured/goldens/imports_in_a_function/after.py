#!/usr/bin/env python
# Needs Spark 3.3 or newer.

# Counts words.


def process_batch(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


def main(host, port):
    """Start the job."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    spark = SparkSession.builder.appName("Inside").getOrCreate()
    lines = spark.readStream.format("socket").option("host", host).option("port", int(port)).load()
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:3])
