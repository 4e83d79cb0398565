# Needs Spark 3.3 or newer.

"""A batch asks for its view, and so does the main thread."""
import sys

from pyspark.sql import Row, SparkSession

spark = SparkSession.builder.appName("Beside").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", int(sys.argv[1]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    lines = batch.rdd.map(lambda row: row.value)
    words = lines.flatMap(lambda line: line.split(" "))
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    show(counts)


seen = []


def show(rdd):
    if not rdd.isEmpty():
        frame = spark.createDataFrame(rdd.map(lambda pair: Row(word=pair[0], count=pair[1])))
        frame.createOrReplaceTempView("words")
        seen.append(spark.sql("select sum(count) from words").first()[0])


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
while len(seen) < 2:
    query.awaitTermination(0.1)
query.stop()
print(seen)
for row in spark.sql("select word, count from words order by word").collect():
    print(row.word, row["count"])
