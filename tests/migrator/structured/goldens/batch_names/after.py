# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession

batch = 2
batch_id = "the longest"

spark = SparkSession.builder.appName("Names").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def show(batch):
    for line in [row.value for row in batch.take(1)]:
        print(batch_id, len(line))


def process_batch(batch_df, batch_number):
    batch_df.show(batch, truncate=False)
    show(batch_df)


query = (
    lines.writeStream.foreachBatch(process_batch)
    .trigger(processingTime=f"{batch} seconds")
    .start()
)
query.awaitTermination()
