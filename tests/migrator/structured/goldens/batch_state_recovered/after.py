# Needs Spark 3.3 or newer.

"""Keeps the last events of each machine, and goes on where it was stopped."""
import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


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


LAST = 3


def parse(line):
    event = json.loads(line)
    yield event.pop("machine"), event


def last_events(new, events):
    return ((events or []) + new)[-LAST:]


def create(folder, checkpoint):
    spark = SparkSession.builder.appName("BatchStateRecovered").getOrCreate()
    states = checkpoint + "/batch_state_recovered/states"
    lines = spark.readStream.text(folder)
    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
        .select(F.lit(True).alias("tick"))
    )

    def process_batch(batch, batch_id):
        events = batch.where("tick IS NULL").rdd.map(lambda row: row.value).flatMap(parse)
        updated = update_state(events, last_events, f"{states}/updateStateByKey", batch_id)
        machines = updated
        records = machines.mapValues(json.dumps)
        for record in records.take(31)[:30]:
            print(record)
        records = machines.map(lambda pair: (pair[0], len(pair[1])))
        records = records.map(lambda record: (str(record),))
        frame = spark.createDataFrame(records, "value string")
        frame.write.mode("overwrite").text(f"out/machines-{batch_id}")

    return (
        lines.unionByName(ticks, allowMissingColumns=True)
        .writeStream.foreachBatch(process_batch)
        .option("checkpointLocation", checkpoint + "/batch_state_recovered")
        .trigger(processingTime="1 second")
    )


writer = create(sys.argv[1], sys.argv[2])
query = writer.start()
query.awaitTermination()
