# Needs Spark 3.3 or newer.

"""Keeps the code of its batches: functions of partitions, sorted RDDs, and a total of the driver."""
import json
import sys
from collections import Counter
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

total = Counter()


class Event:
    def __init__(self, fields):
        self.user = fields.get("user", "nobody")
        self.value = fields.get("value", 0)


def parse(line):
    try:
        return [Event(json.loads(line))]
    except ValueError:
        return []


def add_up(rdd):
    global total
    for user, value in sorted(rdd.collect()):
        total[user] += value
    print("total", sorted(total.items()))


def show(time, rdd):
    print("batch of", time)
    for at, (user, value) in rdd.zipWithIndex().map(lambda pair: (pair[1], pair[0])).collect():
        print(at, user, value)


spark = SparkSession.builder.appName("BatchCode").master("local[2]").getOrCreate()
names = spark.sparkContext.broadcast({"a": "Ann"})  # of users
known = spark.sparkContext.parallelize([("Ann", 1), ("Bob", 2)])

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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value).cache()
    # one bad line is no reason to stop
    events = lines.flatMap(parse)
    values = events.map(lambda e: (names.value.get(e.user, e.user), e.value)) \
        .reduceByKey(lambda a, b: a + b).cache()
    records = values.sortBy(lambda pair: (-pair[1], pair[0]))
    for record in records.take(3)[:2]:
        print(record)
    add_up(values)
    # who is known
    records2 = (values.join(known)
        .mapValues(lambda pair: pair[0] * pair[1]))
    print("known", sorted(records2.collect()))
    show(batch_time, values.sortByKey())
    has_input = not batch.where("tick IS NULL").isEmpty()
    records = spark.sparkContext.parallelize([lines.count()] if has_input else [], 1)
    for record in records.take(11)[:10]:
        print(record)
    records = lines.map(len).map(lambda record: (None, record)).reduceByKey(max, 1).values()
    for record in records.take(11)[:10]:
        print(record)
    records3 = (
        lines.map(lambda line: line[:1])
        .map(lambda record: (record, 1))
        .reduceByKey(lambda left, right: left + right)
        .mapPartitions(sorted)
        .glom()
    )
    print("first", sorted(sum(records3.collect(), [])))
    values.unpersist()
    lines.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
