# Needs Spark 3.3 or newer.

"""Decodes the messages of Kafka itself."""
import json
import sys

from pyspark.sql import SparkSession


def key_of(data):
    if data is None:
        return "none"
    return bytes(data).decode("utf-8").upper()


spark = SparkSession.builder.appName("BatchCodeDecoders").getOrCreate()
orders = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "orders")
    .option("startingOffsets", "earliest")
    .load()
    .select("key", "value")
)


def process_batch(batch, batch_id):
    orders = batch.rdd.map(lambda row: (key_of(row.key), json.loads(row.value.decode("utf-8"))))
    records = orders.map(lambda order: (order[0], sorted(order[1].items())))
    for record in records.take(11)[:10]:
        print(record)
    counts = orders.map(lambda order: (order[0], len(order[1]))).reduceByKey(lambda a, b: a + b)
    for record in counts.take(11)[:10]:
        print(record)


query = orders.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
