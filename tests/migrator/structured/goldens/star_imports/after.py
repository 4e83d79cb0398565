# Needs Spark 3.3 or newer.

"""Has its Spark and its functions from a module of the project."""
from common import *
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
import json
from operator import add

spark = SparkSession.builder.appName(NAME).master("local[2]").getOrCreate()
stream = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", 9999)
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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value).map(json.loads)
    records = lines.map(lambda record: (record["kind"], 1)).reduceByKey(add)
    show(records, limit=2)


query = (
    stream.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
