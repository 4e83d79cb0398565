# Needs Spark 3.3 or newer.

"""Helpers whose annotations say RDD, and which get streams."""
import sys
from typing import List

from pyspark import RDD
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def top(rdd: RDD) -> List[str]:
    return [word for word, _ in rdd.takeOrdered(2, key=lambda pair: (-pair[1], pair[0]))]


spark = SparkSession.builder.appName("Annotated").getOrCreate()
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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    words = lines.flatMap(lambda line: line.lower().split(" "))
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    records = counts.filter(lambda pair: pair[1] >= 2)
    for record in records.take(11)[:10]:
        print(record)
    words_2 = lines.flatMap(lambda line: line.lower().split(" "))
    counts_2 = words_2.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    records2 = counts_2.filter(lambda pair: pair[1] >= 1)
    print(top(records2))


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
