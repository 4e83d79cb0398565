# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

ready = True; words = 3

def report(batch):
  print(batch.count())
  print("that was it")

if len(sys.argv) < 2: sys.exit("name a host and a port")
else: host, port = sys.argv[1], int(sys.argv[2])

spark = SparkSession.builder.appName("OneLine").getOrCreate()
# every second
lines = spark.readStream.format("socket").option("host", host).option("port", port).load()


def process_batch(batch, batch_id):
  pairs = batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
  # the counts, and the lines
  pairs.groupBy("word").count().show(words, truncate=False)
  report(batch)


try:
  if ready:
    query = (
      lines.writeStream.foreachBatch(process_batch)
      .trigger(processingTime="1 second")
      .start()
    )
  query.awaitTermination()
finally: print("stopped"); ready = False
