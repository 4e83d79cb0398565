# Needs Spark 4.0 or newer.

"""Sums and counts of measurements, which are JSON texts."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("KafkaJson").getOrCreate()
stream = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "sensors")
    .load()
    .select(F.decode(F.col("value"), "UTF-8").alias("value"))
)
events = stream.select(
    F.coalesce(
        F.from_json(
            F.coalesce(F.col("value"), F.raise_error("None has no value here")),
            "struct<device: struct<id: string>, temperature: double, tags: array<string>>",
            {"mode": "FAILFAST", "allowSingleQuotes": "false"},
        ),
        F.raise_error("not JSON of the given shape"),
    ).alias("event"),
)


def process_batch(batch, batch_id):
    # the hot ones
    hot = batch.where(
        F.coalesce(
            F.col("event")["temperature"],
            F.raise_error("no value of the given shape at the key 'temperature'"),
        ) > 30.0,
    )
    (
        hot.groupBy(
            F.coalesce(
                F.coalesce(
                    F.col("event")["device"],
                    F.raise_error("no value of the given shape at the key 'device'"),
                )["id"],
                F.raise_error("no value of the given shape at the key 'id'"),
            ).alias("key"),
        )
        .agg(
            F.sum(
                F.coalesce(
                    F.col("event")["temperature"],
                    F.raise_error("no value of the given shape at the key 'temperature'"),
                ),
            ).alias("temperature"),
        )
        .show(10, truncate=False)
    )
    (
        batch.groupBy(
            F.coalesce(
                F.coalesce(
                    F.col("event")["device"],
                    F.raise_error("no value of the given shape at the key 'device'"),
                )["id"],
                F.raise_error("no value of the given shape at the key 'id'"),
            ).alias("key"),
        )
        .count()
        .show(10, truncate=False)
    )
    (
        batch.select(
            F.explode(
                F.when(
                    F.col("event")["tags"].isNotNull() & (F.size(F.col("event")["tags"]) > 0),
                    F.col("event")["tags"],
                ).otherwise(F.array()),
            ).alias("item"),
        )
        .groupBy("item")
        .count()
        .show(10, truncate=False)
    )


query = events.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
