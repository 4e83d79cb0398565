# Needs Spark 4.0 or newer.

"""Keeps the offsets of each batch in a file of its own, and begins with those that are there."""
import json
import os
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F


# the offsets up to which each stream has been read, by topic and partition
kafka_ends = {}


def kafka_start(topics, offsets, start, stream):
    """Return the options of Kafka's source that begins at some offsets, else at its `start`.

    The offsets are those of pairs of a topic and a partition.
    """
    if not offsets:
        return {"subscribe": ",".join(topics), "startingOffsets": start}
    kafka_ends[stream] = {**offsets}
    partitions, positions = {}, {}
    for (topic, partition), offset in offsets.items():
        partitions.setdefault(topic, []).append(partition)
        positions.setdefault(topic, {})[partition] = offset
    return {"assign": json.dumps(partitions), "startingOffsets": json.dumps(positions)}


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


OFFSETS = "offsets.json"


def load():
    if not os.path.exists(OFFSETS):
        return {}
    with open(OFFSETS) as file:
        return {(name, part): end for name, part, end in json.load(file)}


def store(rdd):
    ends = [(each.topic, each.partition, each.untilOffset) for each in rdd.offsetRanges()]
    with open(OFFSETS, "w") as file:
        json.dump(ends, file)
    return rdd


spark = SparkSession.builder.appName("OffsetsInAFile").getOrCreate()
orders = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .options(**kafka_start(["orders"], load(), "earliest", "orders"))
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


def process_batch(batch, batch_id):
    orders = kafka_records(batch.where("tick IS NULL"), "orders")
    amounts = store(orders).map(lambda order: json.loads(order[1]))
    totals = (
        amounts.map(lambda order: (order["item"], order["amount"]))
        .reduceByKey(lambda a, b: a + b)
    )
    for record in totals.take(11)[:10]:
        print(record)


query = (
    orders.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
