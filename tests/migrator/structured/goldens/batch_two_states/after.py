# Needs Spark 3.3 or newer.

"""Two sources with a state each: one query keeps both of its states."""
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


def seen(new, old):
    return sorted({*new, *(old or ())})


spark = SparkSession.builder.appName("BatchTwoStates").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
states = f"checkpoint/states-{uuid.uuid4()}"

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


def process_letters(batch, batch_id):
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    letters = update_state(
        lines.map(lambda line: (line[:1], line)),
        seen,
        f"{states}/letters",
        batch_id,
    )
    sizes = update_state(
        lines.map(lambda line: (len(line), line)),
        seen,
        f"{states}/sizes",
        batch_id,
    )
    records = letters.map(lambda pair: ("letter",) + pair)
    for record in records.take(11)[:10]:
        print(record)
    records = sizes.map(lambda pair: ("size",) + pair)
    for record in records.take(11)[:10]:
        print(record)


files = (
    spark.readStream.text(sys.argv[2])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)


def process_names(batch, batch_id):
    files = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    names = update_state(
        files.map(lambda line: (line[-1:], line)),
        seen,
        f"{states}/names",
        batch_id,
    )
    records = names.map(lambda pair: ("name",) + pair)
    for record in records.take(11)[:10]:
        print(record)


letters_query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_letters)
    .trigger(processingTime="1 second")
    .start()
)
names_query = (
    files.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_names)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
