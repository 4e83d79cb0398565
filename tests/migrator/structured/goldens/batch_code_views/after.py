# Needs Spark 3.3 or newer.

"""Keeps views of what batches have, which the job asks with SQL."""
from collections import namedtuple

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

Tweet = namedtuple("Tweet", ("tag", "count"))


def show(rdd):
    if not rdd.isEmpty():
        spark.createDataFrame(rdd.map(lambda tweet: (tweet.tag,)), ["tag"]).createOrReplaceTempView("tags")
        print(spark.sql("select max(tag) from tags").collect()[0][0])
        print(spark.sql("select sum(count) from tweets").collect()[0][0])


spark = SparkSession.builder.appName("BatchCodeViews").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", 9999)
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
    words = (
        batch.where("tick IS NULL").rdd.map(lambda row: row.value)
        .flatMap(lambda line: line.split(" "))
    )
    counts = words.glom().flatMap(lambda part: part).map(lambda word: (word, 1))
    tweets = counts.reduceByKey(lambda a, b: a + b).map(lambda pair: Tweet(*pair)).cache()
    if not tweets.isEmpty():
        spark.createDataFrame(tweets).createOrReplaceTempView("tweets")
    show(tweets)
    tweets.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
