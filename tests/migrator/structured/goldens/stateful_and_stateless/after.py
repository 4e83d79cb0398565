# Needs Spark 3.3 or newer.

"""Unites totals and the counts of the batch, and writes both together."""
import sys
import uuid
from datetime import datetime

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


def total(values, state):
    return sum(values, state or 0)


def write(time, rdd):
    for name, (batch, whole) in sorted(rdd.collect()):
        print(name, batch, whole)


spark = SparkSession.builder.appName("Both").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "both-checkpoint")
states = f"both-checkpoint/states-{uuid.uuid4()}"
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
    words = (
        batch.where("tick IS NULL").rdd.map(lambda row: row.value)
        .flatMap(lambda line: line.split())
    )
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).cache()
    totals = update_state(counts, total, f"{states}/totals", batch_id)
    both = (
        counts.map(lambda pair: (pair[0], (pair[1], 0)))
        .union(totals.map(lambda pair: (pair[0], (0, pair[1]))))
    )
    write(batch_time, both.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])))
    counts.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
