# Needs Spark 3.3 or newer.

"""Reads a file for each batch, and sums up what is in it, as jobs do that are tried out."""
import sys

from pyspark.sql import SparkSession


def run(folder, names):
    spark = SparkSession.builder.appName("QueueOfFiles").getOrCreate()
    owners = spark.sparkContext.parallelize([("a", "Ann"), ("b", "Bob")], 1).cache()
    broken = spark.sparkContext.accumulator(0)

    def pair(line):
        key, _, value = line.partition("=")
        if not value.isdigit():
            broken.add(1)
            return []
        return [(key, int(value))]

    files = []
    for name in names:
        # one file is a batch
        files.append(spark.sparkContext.textFile("%s/%s" % (folder, name), 1))
    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
    )

    def process_batch(batch, batch_id):
        lines = files.pop(0) if files else spark.sparkContext.parallelize([], 1)
        sums = lines.flatMap(pair).reduceByKey(lambda a, b: a + b).cache()
        records = sums.leftOuterJoin(owners)
        for record in records.take(11)[:10]:
            print(record)
        print(sums.count(), "keys, broken:", broken.value > 0)
        sums.unpersist()

    query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    run(sys.argv[1], ["one.txt", "two.txt"])
