# Needs Spark 3.3 or newer.

"""The main thread asks for a view that batches replace."""
import sys

from pyspark.sql import Row, SparkSession

spark = SparkSession.builder.appName("Polled").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    lines = batch.rdd.map(lambda row: row.value)
    tags = lines.flatMap(lambda line: line.split(" ")).filter(lambda word: word.startswith("#"))
    counts = tags.map(lambda tag: (tag.lower(), 1)).reduceByKey(lambda a, b: a + b)
    show(counts.map(lambda pair: Row(tag=pair[0], count=pair[1])))


seen = []


def show(rdd):
    if not rdd.isEmpty():
        spark.createDataFrame(rdd).registerTempTable("tags")
        seen.append(rdd.count())


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
while len(seen) < 2:
    query.awaitTermination(0.1)
query.stop()
for row in spark.sql("select tag, count from tags order by count desc, tag").collect():
    print(row.tag, row["count"])
