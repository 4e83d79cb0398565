# Needs Spark 3.3 or newer.

"""A window of a window, and a state that is updated at each slide."""
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


spark = SparkSession.builder.appName("BatchWindowOfWindow").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
states = f"checkpoint/states-{uuid.uuid4()}"

lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
    .select(F.lit(True).alias("tick"))
)


def process_batch(batch, batch_id):
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    save_batch(lines, f"{states}/window", batch_id, 2)
    if batch_id % 2 == 0:
        windowed = saved_batches(spark.sparkContext, f"{states}/window", batch_id - 1, batch_id)
        inner = windowed.map(lambda line: [line]).cache()
        save_batch(inner, f"{states}/window_2", batch_id // 2, 2)
        windowed2 = saved_batches(
            spark.sparkContext,
            f"{states}/window_2",
            batch_id // 2 - 1,
            batch_id // 2,
        )
        records = windowed2.map(lambda line: line[0])
        for record in records.take(11)[:10]:
            print(record)
    if batch_id % 4 == 0:
        outer = saved_batches(
            spark.sparkContext,
            f"{states}/window_2",
            batch_id // 2 - 1,
            batch_id // 2,
        )
        updated = update_state(
            outer.map(lambda line: (len(line[0]), line)),
            lambda new, old: sum(new, old or []),
            f"{states}/updateStateByKey",
            batch_id // 4,
        )
        records = updated.mapValues(sorted)
        for record in records.take(11)[:10]:
            print(record)
    if batch_id % 2 == 0:
        inner.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
