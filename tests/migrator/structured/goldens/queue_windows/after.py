# Needs Spark 3.3 or newer.

import uuid

from pyspark.sql import SparkSession


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


spark = SparkSession.builder.appName("QueueWindows").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
states = f"checkpoint/states-{uuid.uuid4()}"
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
rdds = [spark.sparkContext.parallelize(each) for each in [[1, 2], [3], [], [4, 1], [5], [2]]]


def process_batch(batch, batch_id):
    numbers = rdds.pop(0) if rdds else spark.sparkContext.parallelize([], 1)
    pairs = numbers.map(lambda number: (number % 2, number)).cache()
    updated = update_state(
        pairs,
        lambda new, old: (old or []) + sorted(new),
        f"{states}/updateStateByKey",
        batch_id,
    )
    for record in updated.take(11)[:10]:
        print(record)
    save_batch(pairs, f"{states}/window", batch_id, 4)
    if (batch_id + 1) % 2 == 0:
        windowed = saved_batches(spark.sparkContext, f"{states}/window", batch_id - 3, batch_id)
        records = windowed.groupByKey().mapValues(lambda values: sorted(values))
        for record in records.take(11)[:10]:
            print(record)
    save_batch(numbers, f"{states}/window_2", batch_id, 2)
    if (batch_id + 1) % 2 == 0:
        windowed2 = saved_batches(spark.sparkContext, f"{states}/window_2", batch_id - 1, batch_id)
        save_batch(
            windowed2.map(lambda record: (None, 1)).reduceByKey(lambda left, right: left + right, 1),
            f"{states}/countByWindow",
            (batch_id + 1) // 2 - 1,
            2,
        )
    if (batch_id + 1) % 4 == 0:
        windowed3 = (
            saved_batches(
                spark.sparkContext,
                f"{states}/countByWindow",
                (batch_id + 1) // 2 - 1 - 1,
                (batch_id + 1) // 2 - 1,
            )
            .reduceByKey(lambda left, right: left + right, 1)
            .values()
        )
        for record in windowed3.take(11)[:10]:
            print(record)
    pairs.unpersist()


query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
