# Needs Spark 3.3 or newer.

"""Pushes to its queue while it runs: the stream, which has copied the queue, never sees that."""
from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("QueueFilledLater").getOrCreate()
waiting = [spark.sparkContext.parallelize([8, 5, 3], 2)]
nothing = spark.sparkContext.parallelize([0], 1)
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
rdds = list(waiting) or [spark.sparkContext.parallelize([])]
default = nothing


def process_batch(batch, batch_id):
    numbers = rdds.pop(0) if rdds else default
    for record in numbers.take(11)[:10]:
        print(record)
    records = spark.sparkContext.parallelize(
        [numbers.filter(lambda number: number % 2 == 1).count()],
        1,
    )
    for record in records.take(11)[:10]:
        print(record)
    push(numbers)


def push(rdd):
    left = [number // 2 for number in rdd.collect() if number > 1]
    if left:
        waiting.append(spark.sparkContext.parallelize(left, 2))
    print("left:", left)


query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
