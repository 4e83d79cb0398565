# Needs Spark 4.0 or newer.

import sys
from collections import namedtuple
from typing import NamedTuple

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FIELDS = ("tag", "count")
Tag = namedtuple("Tag", FIELDS)


class Tweet(NamedTuple):
    """A line of the stream."""

    user: str
    text: str


spark = SparkSession.builder.appName("Tags").getOrCreate()
parts = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
    .select(F.split(F.col("value"), ": ").alias("part"))
)
# a line is "<user>: <text>"
tweets = (
    parts.where(F.size(F.col("part")) == 2)
    .select(F.col("part")[0].alias("user"), F.col("part")[1].alias("text"))
)


def process_batch(batch, batch_id):
    batch.where(F.col("user") != "root").show(10, truncate=False)
    report(batch)
    tags = (
        batch.select(F.explode(F.split(F.col("text"), " ")).alias("word"))
        .where(F.col("word").startswith("#"))
        .groupBy("word")
        .count()
    )
    show(tags)


def report(batch):
    for tweet in sorted(Tweet(*row) for row in batch.collect()):
        print(tweet, tweet._asdict())
    for user, text in sorted(batch.collect()):
        print(user, text)
    for tweet in sorted(batch.collect(), key=lambda each: each.text):
        print(tweet.user)


def show(batch):
    if not batch.isEmpty():
        frame = batch.select(F.col("word").alias("tag"), "count")
        frame.sort("count", ascending=False).createOrReplaceTempView("tags")
        batch.sparkSession.sql("SELECT tag, count FROM tags WHERE count > 1").show()
        selected = (
            batch.orderBy(F.col("count").desc(), "word")
            .select(F.col("word").alias("tag"), "count")
        )
        for tag in [Tag(*row) for row in selected.take(2)]:
            print(tag.tag, tag.count)


query = tweets.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
