# Needs Spark 4.0 or newer.

"""Reads Kafka or a socket in functions that return in several places."""
import argparse
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

parser = argparse.ArgumentParser()
parser.add_argument("--brokers")
parser.add_argument("--folder")
parser.add_argument("--host", default="localhost")
args = parser.parse_args()
spark = SparkSession.builder.appName("AlternativeFunctions").getOrCreate()
if args.brokers:
    params = {"metadata.broker.list": args.brokers}
    stream = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", args.brokers)
        .option("subscribe", "words")
        .load()
        .select(F.decode(F.col("value"), "UTF-8").alias("value"))
    )
    # the value
    lines_2 = stream
else:
    if args.folder:
        lines_2 = (
            spark.readStream.text(args.folder)
            .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
        )
    else:
        lines_2 = (
            spark.readStream.format("socket")
            .option("host", args.host)
            .option("port", 9999)
            .option("numPartitions", 1)
            .load()
        )
short = args.brokers is not None
if short:
    result2 = lines_2.where(
        F.length(F.coalesce(F.col("value"), F.raise_error("None has no value here"))) < 3,
    )
else:
    result2 = lines_2
records = result2.select(
    F.upper(F.coalesce(F.col("value"), F.raise_error("None has no method upper"))).alias("value"),
)


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = records.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
