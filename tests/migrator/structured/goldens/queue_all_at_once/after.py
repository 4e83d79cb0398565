# Needs Spark 3.3 or newer.

"""Takes all lists of a queue in the first batch, and a default in all others."""
from datetime import datetime

from pyspark.sql import SparkSession


def show(time, rdd):
    print("taken:", sorted(rdd.collect()))


spark = SparkSession.builder.appName("QueueAllAtOnce").getOrCreate()

words = [["a", "b", "a"], [], ["c"]]
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)
rdds = [spark.sparkContext.parallelize(each) for each in words]
rdds = [spark.sparkContext.union(rdds)]
default = spark.sparkContext.parallelize(["none"])


def process_batch(batch, batch_id):
    batch_time = datetime.now().replace(microsecond=0)
    lines = rdds.pop(0) if rdds else default
    # how often each of them is there
    counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    show(batch_time, counts)
    records = lines.filter(lambda word: word != "b")
    for record in records.take(3)[:2]:
        print(record)


words.append(["never seen"])
print(len(words), "lists")

query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
