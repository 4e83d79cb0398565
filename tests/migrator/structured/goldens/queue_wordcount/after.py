# Needs Spark 3.3 or newer.

"""Counts the remainders of numbers, a batch of them at a time, as the example of Spark does."""
from pyspark.sql import SparkSession


def process_batch(batch, batch_id):
    inputStream = rddQueue.pop(0) if rddQueue else spark.sparkContext.parallelize([], 1)
    mappedStream = inputStream.map(lambda x: (x % 10, 1))
    reducedStream = mappedStream.reduceByKey(lambda a, b: a + b)
    for record in reducedStream.take(11)[:10]:
        print(record)
    records = spark.sparkContext.parallelize([inputStream.count()], 1)
    for record in records.take(11)[:10]:
        print(record)


if __name__ == "__main__":
    spark = SparkSession.builder.appName("QueueWordCount").getOrCreate()

    # Create the queue through which RDDs can be pushed to
    # a QueueInputDStream
    rddQueue = []
    for i in range(3):
        rddQueue += [spark.sparkContext.parallelize([j for j in range(1, 21 + 10 * i)], 10)]

    # Create the QueueInputDStream and use it do some processing
    ticks = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .load()
    )

    query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
