# Needs Spark 4.0 or newer.

"""Counts the words of two topics, and prints the offsets of each batch."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def print_offsets(batch, offset_ranges):
    for o in offset_ranges:
        print("%s[%d] %d -> %d" % (o.topic, o.partition, o.fromOffset, o.untilOffset))


def print_ends(batch):
    ordered = (
        batch.groupBy("topic", "partition")
        .agg(F.min("offset").alias("fromOffset"), (F.max("offset") + 1).alias("untilOffset"))
        .orderBy("topic", "partition")
    )
    print([(o.topic, o.untilOffset) for o in ordered.collect() if o.untilOffset > o.fromOffset])


spark = SparkSession.builder.appName("KafkaOffsets").getOrCreate()
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "more,words")
    .option("startingOffsets", "earliest")
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"), "topic", "partition", "offset")
)


def process_batch(batch, batch_id):
    # only the RDD of the stream itself knows them
    counts = (
        batch.select(
            F.explode(
                F.split(F.coalesce(F.col("value"), F.raise_error("None has no method split")), " "),
            ).alias("word"),
        )
        .groupBy("word")
        .count()
    )
    counts.show(10, truncate=False)
    offset_ranges = (
        batch.groupBy("topic", "partition")
        .agg(F.min("offset").alias("fromOffset"), (F.max("offset") + 1).alias("untilOffset"))
        .orderBy("topic", "partition")
        .collect()
    )
    print_offsets(batch, offset_ranges)
    print_ends(batch)


query = messages.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
