# Needs Spark 3.3 or newer.

"""Functions that other functions make, each once."""
import sys
from datetime import datetime
from functools import partial
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def make_parser(separator):
    def parse(line):
        return line.split(separator)
    return parse


def save_to(name):
    print("saves to", name)

    def save(rdd):
        print(name, rdd.collect())
    return save


spark = SparkSession.builder.appName("BatchCodeClosures").getOrCreate()
lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
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
    words = lines.flatMap(parser).filter(partial(str.__len__)).map(function).cache()
    output(words)
    has_input = not batch.where("tick IS NULL").isEmpty()
    records = spark.sparkContext.parallelize([words.count()] if has_input else [], 1)
    for record in records.take(11)[:10]:
        print(record)
    words.unpersist()


parser = make_parser(",")
function = make_parser(";")
output = save_to("words")
query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
