# Needs Spark 3.3 or newer.

"""Sends each record from a map, as far as it is printed."""
from pyspark.sql import SparkSession


def send(reading):
    with open("sent.txt", "a") as out:
        out.write(reading + "\n")
    return reading.upper()


spark = SparkSession.builder.appName("Effects").master("local[2]").getOrCreate()
readings = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", 9999)
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    readings = batch.rdd.map(lambda row: row.value)
    records = readings.filter(lambda line: line != "").map(send)
    for record in records.take(3)[:2]:
        print(record)


query = readings.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
