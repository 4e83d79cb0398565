# Needs Spark 3.3 or newer.

"""What depends on the order of lines: the first one, their numbers, and what is put together."""
import sys

from pyspark.sql import SparkSession


def numbered(rdd):
    return rdd.zipWithIndex().map(lambda pair: "%d %s" % (pair[1], pair[0]))


def joined(rdd):
    if not rdd.isEmpty():
        print(rdd.first(), "|".join(rdd.collect()), rdd.take(2))


spark = SparkSession.builder.appName("Order").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    lines = batch.rdd.map(lambda row: row.value).cache()
    records = numbered(lines)
    for record in records.take(11)[:10]:
        print(record)
    joined(lines)
    records = lines.map(lambda record: (None, record)).reduceByKey(lambda a, b: a + b, 1).values()
    for record in records.take(11)[:10]:
        print(record)
    lines.unpersist()


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
