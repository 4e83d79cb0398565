# Needs Spark 3.3 or newer.

"""Uses the SparkContext for what is no stream."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("SessionMembers").getOrCreate()
spark.sparkContext.setLocalProperty("job", "words")
limits = spark.sparkContext.broadcast({"words": 3})
seen = spark.sparkContext.accumulator(0)
numbers = spark.sparkContext.parallelize([1, 2, 3])
numbers.foreach(lambda number: seen.add(number))
limit = limits.value["words"]
print(spark.sparkContext.defaultParallelism, spark.sparkContext.appName, numbers.sum(), spark.sparkContext.range(4).count())
spark.sql("select 1 as one").show()


def end():
    spark.stop()
    sys.exit(0)


# a part of the job, unlike the numbers
known = spark.createDataFrame([("a", "known"), ("b", "also")], ["key", "value"])
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
records = (
    lines.select("value", F.lit(1).alias("value_2"))
    .join(known.select(F.col("key").alias("value"), F.col("value").alias("value_3")), "value")
)


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = records.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
try:
    query.awaitTermination()
except KeyboardInterrupt:
    end()
