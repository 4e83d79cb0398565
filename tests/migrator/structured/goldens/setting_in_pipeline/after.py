# Needs Spark 3.3 or newer.

"""A pipeline that depends on a setting."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

port, mode = int(sys.argv[1]), sys.argv[2]
spark = SparkSession.builder.appName("Setting").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", port)
    .option("numPartitions", 1)
    .load()
)
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
    .select(F.lit(True).alias("tick"))
)


def process_batch(batch, batch_id):
    words = (
        batch.where("tick IS NULL").rdd.map(lambda row: row.value)
        .flatMap(lambda line: line.split(" "))
    )
    if mode == "letters":
        words = words.flatMap(lambda word: list(word))
    counts = words.map(lambda record: (record, 1)).reduceByKey(lambda left, right: left + right)
    if condition:
        for record in counts.take(11)[:10]:
            print(record)
    records = counts.sortBy(lambda pair: -pair[1]).zipWithIndex()
    print([pair for pair, place in records.collect() if place < 1])


condition = mode != "quiet"
query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
