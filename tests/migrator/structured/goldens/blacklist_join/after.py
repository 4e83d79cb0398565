"""Counts requests per user, without the users of a blacklist. A line is "<user> <path>"."""
import signal
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

stopping = False


def ask_to_stop(signum, frame):
    global stopping
    stopping = True


def process_batch(batch, batch_id):
    per_user = batch.groupBy("user").agg(F.count("*").alias("count"))
    per_user.show(20, truncate=False)


def main():
    spark = SparkSession.builder.appName("BlacklistJoin").getOrCreate()
    signal.signal(signal.SIGTERM, ask_to_stop)
    blacklist = spark.read.text(sys.argv[3]).select(F.trim("value").alias("user"))

    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    parts = F.split("value", " ", 2)
    requests = lines.select(parts[0].alias("user"), parts[1].alias("path"))
    allowed = requests.join(blacklist, "user", "left_anti")

    query = (
        allowed.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    )
    while not stopping:
        if query.awaitTermination(1):
            break
    query.stop()


if __name__ == "__main__":
    main()
