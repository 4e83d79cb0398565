# Needs Spark 3.3 or newer.

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("TopTags").getOrCreate()

lines = spark.readStream.format("socket").option("host", "127.0.0.1").option("port", 9999).load()

# Splits to a list
# Checks for hashtags
# Lower cases the word
# Stores in a Tweet
# Sorts them
# the first ten
words = (
    lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .where(F.lower(F.col("word")).startswith("#"))
    .select(F.lower(F.col("word")).alias("word"))
)


def process_batch(batch, batch_id):
    (
        batch.groupBy("word").count().select(F.col("word").alias("tag"), "count")
        .sort("count", "tag", ascending=False)
        .limit(10)
        .show()
    )


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
