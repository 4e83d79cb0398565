# Needs Spark 3.3 or newer.

"""Fills its queue in a function, and stops when it has seen all batches."""
import threading

from pyspark.sql import SparkSession

done = threading.Event()
totals = []


def keep(rdd):
    totals.append(rdd.map(lambda pair: pair[1]).sum())
    print("total", totals[-1])
    if len(totals) > 3:
        done.set()


def main():
    spark = SparkSession.builder.appName("QueueInFunctions").master("local[2]").getOrCreate()
    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
    )
    rdds = [
    spark.sparkContext.parallelize([(n % 3, float(n)) for n in range(at, at + 4)], 2)
    for at in range(2)
    ]

    def process_batch(batch, batch_id):
        stream = rdds.pop(0) if rdds else spark.sparkContext.parallelize([], 1)
        means = stream.combineByKey(
            lambda value: (value, 1),
            lambda one, value: (one[0] + value, one[1] + 1),
            lambda one, other: (one[0] + other[0], one[1] + other[1]),
        ).mapValues(lambda sums: sums[0] / sums[1])
        for record in means.take(11)[:10]:
            print(record)
        records = stream.glom().map(len)
        for record in records.take(11)[:10]:
            print(record)
        keep(stream)

    query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    done.wait()
    query.stop()
    spark.stop()


main()
