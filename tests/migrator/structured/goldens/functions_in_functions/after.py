# Needs Spark 3.3 or newer.

"""Sends the first records of several streams, by one function that each part of the job uses."""
from datetime import datetime

from pyspark.sql import SparkSession


def process_batch(batch, batch_id):
    batch_time = datetime.now().replace(microsecond=0)
    lines = batch.rdd.map(lambda row: row.value)
    words = lines.flatMap(lambda line: line.split(" "))
    ordered = words.sortBy(lambda word: word)
    take_and_send(batch_time, ordered)
    lengths = lines.map(len)
    ordered_2 = lengths.sortBy(lambda length: -length)
    take_and_send_2(batch_time, ordered_2)


if __name__ == "__main__":
    spark = SparkSession.builder.appName("FunctionsInFunctions").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", "localhost")
        .option("port", 9999)
        .option("numPartitions", 1)
        .load()
    )
    def take_and_send(time, rdd):
        if not rdd.isEmpty():
            print("words", rdd.glom().map(len).sum(), rdd.take(2))

    def take_and_send_2(time, rdd):
        if not rdd.isEmpty():
            print("lengths", rdd.glom().map(len).sum(), rdd.take(2))

    query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()
