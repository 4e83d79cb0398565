# Needs Spark 3.3 or newer.

"""Does with each batch what functions of another file say."""
import sys
from datetime import datetime

import handlers
from handlers import Sink, parsed

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("BatchCodeHandlers").getOrCreate()
sink = Sink("orders.log")

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
    batch_time = datetime.now().replace(microsecond=0)
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    orders = parsed(lines).map(tuple).cache()
    sink.save(batch_time, orders)
    Sink.show(orders)
    large = orders.filter(lambda order: len(order[1]) > 1)
    records = handlers.without(batch_time, orders, large)
    for record in records.take(11)[:10]:
        print(record)
    orders.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
