# Needs Spark 3.3 or newer.

"""Tumbling windows of two lengths, one behind a reduce."""
import sys
import tempfile

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


spark = SparkSession.builder.appName("Tumbling").getOrCreate()
states = tempfile.mkdtemp()
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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    pairs = lines.map(lambda line: (line[:1], line)).cache()
    save_batch(pairs, f"{states}/window", batch_id, 2)
    if batch_id % 2 == 0:
        windowed = saved_batches(spark.sparkContext, f"{states}/window", batch_id - 1, batch_id)
        records = windowed.groupByKey().mapValues(lambda group: "|".join(sorted(group)))
        for record in records.take(11)[:10]:
            print(record)
    save_batch(pairs.reduceByKey(min), f"{states}/window_2", batch_id, 4)
    if batch_id % 4 == 0:
        windowed2 = saved_batches(spark.sparkContext, f"{states}/window_2", batch_id - 3, batch_id)
        records = windowed2.reduceByKey(max)
        for record in records.take(11)[:10]:
            print(record)
    pairs.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
