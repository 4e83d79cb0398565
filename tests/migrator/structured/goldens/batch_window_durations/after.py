# Needs Spark 4.0 or newer.

"""Windows whose lengths are known when the job starts, of records of Kafka."""
import json
import sys
import uuid

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


INTERVAL = 1


def main(brokers, window, slide):
    length, step = int(window), int(slide)
    spark = SparkSession.builder.appName("BatchWindowDurations").getOrCreate()
    spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
    states = f"checkpoint/states-{uuid.uuid4()}"
    stream = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", brokers)
        .option("subscribe", "orders")
        .load()
        .select(
            F.decode(F.col("key"), "UTF-8").alias("key"),
            F.decode(F.col("value"), "UTF-8").alias("value"),
        )
    )
    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
        .select(F.lit(True).alias("tick"))
    )

    def process_batch(batch, batch_id):
        stream = batch.where("tick IS NULL").rdd.map(lambda row: (row.key, row.value))
        orders = stream.mapValues(json.loads).cache()
        save_batch(orders, f"{states}/window", batch_id, length)
        if batch_id % step == 0:
            windowed = saved_batches(
                spark.sparkContext,
                f"{states}/window",
                batch_id - length + 1,
                batch_id,
            )
            records = windowed.mapValues(lambda order: sorted(order.items()))
            for record in records.take(11)[:10]:
                print(record)
        save_batch(
            orders.mapValues(lambda order: [order.get("n")]).reduceByKey(lambda a, b: a + b),
            f"{states}/totals/batches",
            batch_id,
            length + step,
        )
        if batch_id % step == 0:
            totals = reduce_window(
                spark.sparkContext,
                lambda a, b: a + b,
                lambda a, b: a[len(b):],
                f"{states}/totals",
                batch_id,
                length=length,
                slide=step,
            )
            records = totals.mapValues(len)
            for record in records.take(11)[:10]:
                print(record)
        orders.unpersist()

    query = (
        stream.unionByName(ticks, allowMissingColumns=True)
        .writeStream.foreachBatch(process_batch)
        .trigger(processingTime=f"{INTERVAL} seconds")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
