# Needs Spark 4.0 or newer.

"""Keeps the offsets of two topics in files of their own, those of one if a batch has no records."""
import json
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F


# the offsets up to which each stream has been read, by topic and partition
kafka_ends = {}


def kafka_records(batch, stream, decode=lambda row: (row.key, row.value)):
    """Return the RDD of the keys and values of a batch, which knows the offsets of its records.

    A partition without new records has an empty range where its last one has ended.
    """
    first, end = F.min("offset").alias("fromOffset"), (F.max("offset") + 1).alias("untilOffset")
    rows = batch.groupBy("topic", "partition").agg(first, end).collect()
    ends = kafka_ends.setdefault(stream, {})
    ranges = {
        (topic, partition): Row(topic=topic, partition=partition, fromOffset=at, untilOffset=at)
        for (topic, partition), at in ends.items()
    }
    ranges.update({(row.topic, row.partition): row for row in rows})
    ends.update({place: row.untilOffset for place, row in ranges.items()})
    rdd = batch.rdd.map(decode)
    rdd.offsetRanges = lambda: [ranges[place] for place in sorted(ranges)]
    return rdd


counts = {"returns": 0}


def save(name, ranges):
    ends = [(each.topic, each.partition, each.fromOffset, each.untilOffset) for each in ranges]
    with open(name, "w") as file:
        json.dump(ends, file)


def keep_orders(rdd):
    save("orders.json", rdd.offsetRanges())
    return rdd


def keep_returns(rdd):
    counts["returns"] += rdd.count()
    if counts["returns"] and rdd.isEmpty():
        save("returns.json", rdd.offsetRanges())
    return rdd


spark = SparkSession.builder.appName("OffsetsOfTwoStreams").getOrCreate()
settings = {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"}
orders = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "orders")
    .option("startingOffsets", "earliest")
    .load()
    .select(
        F.decode(F.col("key"), "UTF-8").alias("key"),
        F.decode(F.col("value"), "UTF-8").alias("value"),
        "topic",
        "partition",
        "offset",
    )
)
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
    .select(F.lit(True).alias("tick"))
)


def process_orders(batch, batch_id):
    orders = kafka_records(batch.where("tick IS NULL"), "orders")
    records = keep_orders(orders).map(lambda order: order[1])
    for record in records.take(11)[:10]:
        print(record)


returns = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "returns")
    .option("startingOffsets", "earliest")
    .load()
    .select(
        F.decode(F.col("key"), "UTF-8").alias("key"),
        F.decode(F.col("value"), "UTF-8").alias("value"),
        "topic",
        "partition",
        "offset",
    )
)


def process_returns(batch, batch_id):
    returns = kafka_records(batch.where("tick IS NULL"), "returns")
    records = keep_returns(returns).map(lambda order: order[1])
    for record in records.take(11)[:10]:
        print(record)


orders_query = (
    orders.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_orders)
    .trigger(processingTime="1 second")
    .start()
)
returns_query = (
    returns.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_returns)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
