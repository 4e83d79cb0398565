# Needs Spark 3.3 or newer.

"""Shows records as `pprint` does, in the job's own way."""
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def take_and_print(time, rdd, num=2):
    taken = rdd.take(num + 1)
    for record in taken[:num]:
        print(record)
    if len(taken) > num:
        print("...")


spark = SparkSession.builder.appName("BatchCodeDefaults").getOrCreate()
lines = (
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
    batch_time = datetime.now().replace(microsecond=0)
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value).cache()
    take_and_print(batch_time, lines)
    longest = lines.sortBy(len, ascending=False)
    (lambda time, rdd, num=1: print(rdd.take(num)))(batch_time, longest)
    take_and_print(batch_time, longest, 3)
    lines.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
