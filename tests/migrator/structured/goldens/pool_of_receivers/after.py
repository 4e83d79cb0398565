# Needs Spark 4.0 or newer.

"""Several receivers of one group, which share the records of a topic."""
import json

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Pool").getOrCreate()
keys = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", "127.0.0.1:1")
    .option("subscribe", "orders")
    .option("kafka.group.id", "pool")
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
    orders = (
        batch.where("tick IS NULL").rdd.map(lambda row: (row.key, row.value))
        .map(lambda record: json.loads(record[1]))
        .cache()
    )
    records = orders.map(lambda order: (order["shop"], order["price"])).reduceByKey(max)
    for record2 in records.take(11)[:10]:
        print(record2)
    print(sorted(orders.map(lambda order: order["price"]).collect()))
    orders.unpersist()


query = (
    keys.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
