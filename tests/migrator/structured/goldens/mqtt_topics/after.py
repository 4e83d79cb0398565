# Needs Spark 3.3 or newer.

import uuid
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


def hadoop_path(context, folder):
    """Return a folder as a path of Hadoop, and the file system that has it."""
    path = context._jvm.org.apache.hadoop.fs.Path(folder)
    return path, path.getFileSystem(context._jsc.hadoopConfiguration())


def save_batch(rdd, folder, number, kept):
    """Save the RDD of a batch by its number, and delete the one that is `kept` batches older.

    A batch that Spark repeats has the same number, and takes the place of what it has saved.
    """
    for each in (number, number - kept):
        path, files = hadoop_path(rdd.context, f"{folder}/{each}")
        files.delete(path, True)
    if rdd.getNumPartitions() == 0:
        # it would have no file to be read again
        rdd = rdd.context.parallelize([], 1)
    rdd.saveAsPickleFile(f"{folder}/{number}")


def saved_batches(context, folder, first, last):
    """Return what batches have saved, one after another; there is none before number 0."""
    rdds = []
    for number in range(first if first > 0 else 0, last + 1):
        path, files = hadoop_path(context, f"{folder}/{number}")
        if not files.exists(path):
            raise FileNotFoundError(
                f"{folder}/{number} is missing, which batch {number} has saved: restore it, or "
                "start with an empty checkpoint folder"
            )
        # the partitions in their order, none of them in parts
        rdds.append(context.pickleFile(f"{folder}/{number}/part-*", 1))
    return context.union(rdds)


def update_state(pairs, function, folder, number, partitions=None, initial=None):
    """Return the state of each key, which a function makes of new values and the old state."""
    context = pairs.context
    if number > 0:
        before = saved_batches(context, folder, number - 1, number - 1)
    else:
        before = initial or context.parallelize([])

    def updated(states_and_values):
        states, values = states_and_values
        return function(list(values), next(iter(states), None))

    states = before.cogroup(pairs, partitions or context.defaultParallelism).mapValues(updated)
    save_batch(states.filter(lambda pair: pair[1] is not None), folder, number, 2)
    return saved_batches(context, folder, number, number)


BROKER = "tcp://localhost:1883"

spark = SparkSession.builder.appName("Topics").master("local[4]").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "topics-checkpoint")
states = f"topics-checkpoint/states-{uuid.uuid4()}"


def total(values, before):
    return sum(values) + (before or 0)


ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
messages = mqtt_messages(BROKER, "rooms/" + "hall")
mqtt_queue = mqtt_messages(BROKER, "rooms/" + "cellar")


def process_batch(batch, batch_id):
    stream = mqtt_records(spark.sparkContext, messages)
    stream_2 = mqtt_records(spark.sparkContext, mqtt_queue)
    readings = (
        spark.sparkContext.union([stream, stream_2])
        .map(lambda text: text.split("="))
        .cache()
    )
    totals = update_state(
        readings.map(lambda pair: (pair[0], int(pair[1]))),
        total,
        f"{states}/totals",
        batch_id,
    )
    for record in totals.take(11)[:10]:
        print(record)
    save_batch(readings, f"{states}/window", batch_id, 2)
    windowed = saved_batches(spark.sparkContext, f"{states}/window", batch_id - 1, batch_id)
    records = spark.sparkContext.parallelize([windowed.count()], 1)
    for record in records.take(11)[:10]:
        print(record)
    print(stream_2.count(), stream_2.getNumPartitions() == 0)
    readings.unpersist()


query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
