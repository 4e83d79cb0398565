"""
Watches a folder and counts the words of every text file that is moved into it.

    $ spark-submit directory_wordcount.py /data/incoming

Write a file elsewhere on the same disk and rename it into the folder: a file that grows while
it is read is counted in part.
"""
from __future__ import print_function

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

if len(sys.argv) != 2:
    sys.stderr.write("Usage: directory_wordcount.py <folder>\n")
    sys.exit(2)

folder = sys.argv[1]
if not os.path.isdir(folder):
    os.makedirs(folder)

spark = SparkSession.builder.appName("DirectoryWordCount").getOrCreate()

files = spark.readStream.text(folder)


def process_batch(batch, batch_id):
    (
        batch.groupBy()
        .count()
        .select(F.concat(F.col("count").cast("string"), F.lit(" line(s)")).alias("value"))
        .show(10, truncate=False)
    )
    (
        batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
        .groupBy("word")
        .count()
        .show(10, truncate=False)
    )


query = files.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
try:
    query.awaitTermination()
except KeyboardInterrupt:
    query.stop()
    spark.stop()
