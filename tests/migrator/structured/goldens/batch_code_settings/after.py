# Needs Spark 3.3 or newer.

"""Shows what its arguments say, in code of batches."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

debug = len(sys.argv) > 3
spark = SparkSession.builder.appName("BatchCodeSettings").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
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
    lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
    words = lines.flatMap(lambda line: line.split(" "))
    # all of them
    if debug:
        for record in words.take(4)[:3]:
            print(record)
    counts = words.map(lambda w: (w, divmod(3, 2)[0])).reduceByKey(lambda a, b: a + b).cache()
    if condition:
        counts.saveAsTextFile(f"{prefix}-{int(datetime.now().timestamp() * 1000)}")
    long = counts.sortByKey()
    if not condition:
        for record in long.take(11)[:10]:
            print(record)
        # others
        show(counts)
    counts.unpersist()


condition = len(sys.argv) > 4
if condition:
    print("saves", file=sys.stderr)
    prefix = sys.argv[4]


def show(rdd):
    print(rdd.count())


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
