# Needs Spark 4.0 or newer.

"""Counts the levels of log lines, and tells how many there are."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def report(batch):
	if batch.isEmpty():
		return	# nothing came
	print("%d lines" % batch.count())


def process_batch(batch, batch_id):
	# the first word is the level
	levels = batch.groupBy(F.split(F.col("value"), " ")[0].alias("key")).count()
	levels.show(10, truncate=False)
	report(batch)


def main(host, port):
	# one for all
	spark = SparkSession.builder.appName("Levels").getOrCreate()
	lines = spark.readStream.format("socket").option("host", host).option("port", int(port)).load()

	query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
	query.awaitTermination()


if __name__ == "__main__":
    # four spaces here
    main(*sys.argv[1:3])
