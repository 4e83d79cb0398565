# Needs Spark 4.1 or newer.

"""Counts readings by the bytes that they begin with, and stamps each of them."""
import hashlib
import sys

from pyspark.sql import SparkSession


def sensor(data):
    return data if data is None else b"sensor " + data


def stamp(reading):
    name, data = reading
    return {name: "missing" if data is None else hashlib.sha256(data).hexdigest()[:8]}


spark = SparkSession.builder.appName("BatchCodeRawValues").getOrCreate()
readings = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "readings")
    .load()
    .select("key", "value")
)


def process_batch(batch, batch_id):
    readings = batch.rdd.map(lambda row: (sensor(row.key), row.value))
    records = readings.map(stamp)
    for record in records.take(11)[:10]:
        print(record)
    kinds = readings.map(lambda reading: (reading[1][:1], 1)).reduceByKey(lambda a, b: a + b)
    for record in kinds.take(11)[:10]:
        print(record)


query = readings.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
