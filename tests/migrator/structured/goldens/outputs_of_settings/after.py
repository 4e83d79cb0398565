# Needs Spark 3.3 or newer.

"""Shows what its arguments say."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

debug = len(sys.argv) > 3
spark = SparkSession.builder.appName("OutputsOfSettings").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    # all of them
    if debug:
        batch.show(3, truncate=False)
    counts = batch.groupBy("word").count()
    if condition:
        (
            counts.select(F.udf(lambda *values: str(values))("word", "count").alias("value"))
            .write.text(f"{prefix}-{int(datetime.now().timestamp() * 1000)}")
        )
    long = counts.where(F.length(F.col("word")) > 2)
    if not condition:
        long.show(10, truncate=False)
    # others
    if not condition:
        show(counts)


condition = len(sys.argv) > 4
if condition:
    print("saves", file=sys.stderr)
    prefix = sys.argv[4]


def show(batch):
    print(batch.count())


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
