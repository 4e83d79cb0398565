# Needs Spark 3.3 or newer.

"""The values of each key in the last seconds; a key stays in a long window without values."""
import sys
import uuid
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.resultiterable import ResultIterable


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


def reduce_window(
    context, function, inverse, folder, number, length, slide, partitions=None, kept=None
):
    """Return the reduced values of the last batches, made of the window before.

    The inverse function takes out what has left it. Keys stay, as long as `kept` holds for them.
    """
    partitions = partitions or context.defaultParallelism

    def reduced(first, last):
        rdd = saved_batches(context, f"{folder}/batches", first, last)
        return rdd.reduceByKey(function, partitions)

    if length < 5 * slide or number < slide:
        window = reduced(number - length + 1, number)
    else:
        before = number // slide - 1
        window = saved_batches(context, f"{folder}/windows", before, before)
        if number >= length:
            left = reduced(number - length - slide + 1, number - length)
            window = window.leftOuterJoin(left, partitions).mapValues(
                lambda both: both[0] if both[1] is None else inverse(*both)
            )
        window = window.union(reduced(number - slide + 1, number))
        window = window.reduceByKey(function, partitions)
    save_batch(window.filter(kept) if kept else window, f"{folder}/windows", number // slide, 2)
    return saved_batches(context, f"{folder}/windows", number // slide, number // slide)


spark = SparkSession.builder.appName("BatchWindowGroups").getOrCreate()
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])
states = sys.argv[2] + f"/states-{uuid.uuid4()}"

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
    pairs = lines.map(lambda line: tuple(line.partition(" ")[::2])).cache()
    save_batch(pairs, f"{states}/groupByKeyAndWindow", batch_id, 2)
    windowed = (
        saved_batches(spark.sparkContext, f"{states}/groupByKeyAndWindow", batch_id - 1, batch_id)
        .groupByKey(spark.sparkContext.defaultParallelism)
    )
    records = windowed.mapValues(sorted)
    for record in records.take(11)[:10]:
        print(record)
    save_batch(
        pairs.mapValues(lambda value: [value]).reduceByKey(lambda left, right: left + right, 2),
        f"{states}/groupByKeyAndWindow_2/batches",
        batch_id,
        6,
    )
    windowed2 = (
        reduce_window(
            spark.sparkContext,
            lambda left, right: left + right,
            lambda left, right: left[len(right):],
            f"{states}/groupByKeyAndWindow_2",
            batch_id,
            length=5,
            slide=1,
            partitions=2,
        )
        .mapValues(ResultIterable)
    )
    records = windowed2.mapValues(lambda values: sorted(values))
    for record in records.take(11)[:10]:
        print(record)
    save_batch(
        pairs.mapValues(lambda value: [value]).reduceByKey(lambda left, right: left + right),
        f"{states}/groupByKeyAndWindow_3/batches",
        batch_id,
        12,
    )
    if batch_id % 2 == 0:
        windowed3 = (
            reduce_window(
                spark.sparkContext,
                lambda left, right: left + right,
                lambda left, right: left[len(right):],
                f"{states}/groupByKeyAndWindow_3",
                batch_id,
                length=10,
                slide=2,
            )
            .mapValues(ResultIterable)
        )
        records2 = windowed3.map(lambda pair: (pair[0], len(pair[1])))
        print("sizes", sorted(records2.collect()))
    pairs.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
