# Needs Spark 3.3 or newer.

"""Puts the RDDs of two queues together: joins, unions and pairs of them."""
from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("QueueJoined").getOrCreate()

prices = [spark.sparkContext.parallelize(each, 2) for each in ([("apple", 3), ("pear", 4)], [("apple", 5)])]
orders = [
    # the first batch
    spark.sparkContext.parallelize([("apple", 2), ("pear", 1), ("fig", 9)], 2),
    spark.sparkContext.parallelize([("apple", 1), ("apple", 7)], 1),
    spark.sparkContext.parallelize([("pear", 8)], 1),
]
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
priced_rdds = list(prices) or [spark.sparkContext.parallelize([])]
default = spark.sparkContext.parallelize([("pear", 1)], 1)
ordered_rdds = list(orders)


def process_batch(batch, batch_id):
    priced = priced_rdds.pop(0) if priced_rdds else default
    ordered = ordered_rdds.pop(0) if ordered_rdds else spark.sparkContext.parallelize([], 1)
    # what is to be paid
    bills = ordered.join(priced).mapValues(lambda pair: pair[0] * pair[1])
    records = bills.reduceByKey(lambda a, b: a + b)
    print("paid", sorted(records.collect()))
    records2 = (
        spark.sparkContext.union([ordered.map(tuple), priced.map(tuple)])
        .groupByKey()
        .mapValues(sorted)
    )
    print("all", sorted(records2.collect()))
    records3 = ordered.subtractByKey(priced)
    for record in records3.take(11)[:10]:
        print(record)


print("batches of orders:", len(orders), "and of prices:", len(prices))
query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
