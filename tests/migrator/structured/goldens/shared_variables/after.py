# Needs Spark 3.3 or newer.

"""Accumulators and broadcasts that functions of batches and the driver share."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Shared").getOrCreate()
stop_words = spark.sparkContext.broadcast({"the", "a"})
dropped = spark.sparkContext.accumulator(0)


def keep(word):
    if word in stop_words.value:
        dropped.add(1)
        return False
    return True


def report(time, rdd):
    counts = dict(rdd.collect())
    print(sorted(counts.items()), dropped.value)


lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
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
    batch_time = datetime.now().replace(microsecond=0)
    words = (
        batch.where("tick IS NULL").rdd.map(lambda row: row.value)
        .flatMap(lambda line: line.split(" "))
    )
    report(
        batch_time,
        words.filter(keep).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b),
    )


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
