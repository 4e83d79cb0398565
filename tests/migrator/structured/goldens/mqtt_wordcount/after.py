# Needs Spark 3.3 or newer.

"""Counts the words in the messages of a topic of MQTT."""

import sys
from queue import SimpleQueue
from urllib.parse import urlsplit

from pyspark.sql import SparkSession
from paho.mqtt import client as mqtt


def mqtt_messages(url, topic):
    """Return a queue that gets the messages of a topic from now on, as texts."""
    messages, address, port = SimpleQueue(), urlsplit(url), 1883
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.enable_logger()
    if address.scheme == "ssl":
        client.tls_set()
        port = 8883

    def subscribe(client, data, flags, reason, properties):
        client.subscribe(topic, 1)

    def keep(client, data, message):
        messages.put(message.payload.decode("utf-8", "replace"))

    client.on_connect, client.on_message = subscribe, keep
    # it connects again, also if there is no broker yet
    client.connect_async(address.hostname, address.port or port)
    client.loop_start()
    return messages


def mqtt_records(context, messages):
    """Return the RDD of the messages that have come since the batch before."""
    records = [messages.get() for _ in range(messages.qsize())]
    # as of a receiver, without partitions if there are none
    return context.parallelize(records) if records else context.emptyRDD()


def process_batch(batch, batch_id):
    lines = mqtt_records(spark.sparkContext, messages)
    records = spark.sparkContext.parallelize(
        [lines.count()] if lines.getNumPartitions() else [],
        1,
    )
    for record in records.take(11)[:10]:
        print(record)
    words = lines.flatMap(lambda line: line.split(" "))
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).cache()
    for record in counts.take(11)[:10]:
        print(record)
    records = spark.sparkContext.parallelize([counts.count()], 1)
    for record in records.take(11)[:10]:
        print(record)
    counts.unpersist()


if __name__ == "__main__":
    spark = SparkSession.builder.appName("MqttWordCount").getOrCreate()

    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
    )
    messages = mqtt_messages(sys.argv[1], "sensors/notes")

    query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
