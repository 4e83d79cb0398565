# Needs Spark 3.3 or newer.

"""The records of the last seconds, as sorted lists of what JSON has."""
import json
import sys
import tempfile
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


spark = SparkSession.builder.appName("BatchWindow").getOrCreate()
states = tempfile.mkdtemp()

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
    events = lines.map(json.loads).cache()
    save_batch(events, f"{states}/recent", batch_id, 4)
    if batch_id % 2 == 0:
        recent = (
            saved_batches(spark.sparkContext, f"{states}/recent", batch_id - 3, batch_id)
            .cache()
        )
        # by kind
        kinds = recent.map(lambda event: (event["kind"], event)).groupByKey().cache()
        records = kinds.mapValues(
            lambda events: sorted(json.dumps(e, sort_keys=True) for e in events),
        )
        for record in records.take(21)[:20]:
            print(record)
        records = spark.sparkContext.parallelize([kinds.count()], 1)
        for record in records.take(11)[:10]:
            print(record)
        print("last", recent.map(len).sum())
    windowed = saved_batches(spark.sparkContext, f"{states}/recent", batch_id - 2, batch_id)
    records = (
        windowed.map(type)
        .map(str)
        .map(lambda record: (record, 1))
        .reduceByKey(lambda left, right: left + right)
    )
    for record in records.take(11)[:10]:
        print(record)
    if batch_id % 2 == 0:
        kinds.unpersist()
        recent.unpersist()
    events.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
