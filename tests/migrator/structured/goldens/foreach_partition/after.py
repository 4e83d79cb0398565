# Needs Spark 3.3 or newer.

"""Appends what executors get to files, as a client of a database would send it."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FOLDER = sys.argv[3]
for each in ("pairs", "records", "keys", "words"):
    open(FOLDER + "/" + each + ".txt", "w").close()


def append(name, text):
    with open(FOLDER + "/" + name, "a") as file:
        file.write(text + "\n")


def send(records):
    for word, count in records:
        append("pairs.txt", "%s %d" % (word, count))


def send_record(record):
    append("records.txt", repr(record))


def send_word(word):
    append("words.txt", word.upper())


spark = SparkSession.builder.appName("Send").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    counts = batch.groupBy("word").count()
    # the function gets all records of a partition
    counts.foreachPartition(send)
    counts.foreach(lambda row: send_record(tuple(row)))
    counts.foreach(lambda pair: append("keys.txt", pair[0]))
    batch.foreach(lambda row: send_word(row.word))
    batch.foreachPartition(lambda rows: [send_word(w) for w in (row.word for row in rows)])


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
