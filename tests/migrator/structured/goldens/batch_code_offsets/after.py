# Needs Spark 4.0 or newer.

"""Counts the words of two topics, and keeps the offsets of each batch in the job's own way."""
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


offset_ranges = []


class Offsets:
    def __init__(self):
        self.ends = {}

    def keep(self, rdd):
        for each in rdd.offsetRanges():
            self.ends[each.topic, each.partition] = each.untilOffset
        return rdd


def store(rdd):
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd


def show(rdd):
    for o in offset_ranges:
        if o.fromOffset < o.untilOffset:
            print("%s %s %s %s" % (o.topic, o.partition, o.fromOffset, o.untilOffset))
    print(sorted(offsets.ends.items()), rdd.count())


def save(rdd):
    # plain functions may read them, too
    print(sum(o.untilOffset - o.fromOffset for o in rdd.offsetRanges()), rdd.count())


spark = SparkSession.builder.appName("BatchCodeOffsets").getOrCreate()
offsets = Offsets()
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "words,more")
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


def process_batch(batch, batch_id):
    messages = kafka_records(batch.where("tick IS NULL"), "messages").cache()
    records = store(messages)
    words = offsets.keep(records).flatMap(lambda m: m[1].split(" ")).cache()
    show(words)
    save(messages)
    records2 = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    for record in records2.take(11)[:10]:
        print(record)
    words.unpersist()
    messages.unpersist()


query = (
    messages.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
