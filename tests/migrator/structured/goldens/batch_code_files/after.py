# Needs Spark 3.3 or newer.

"""Saves what becomes of the lines of files, under names of a setting."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("BatchCodeFiles").getOrCreate()
seen = spark.sparkContext.accumulator(0)


def count_up(line):
    seen.add(1)
    return line.upper()


lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
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
    words = lines.map(count_up).flatMap(str.split).cache()
    pairs = words.map(lambda word: (word, len(word))).cache()
    same = pairs.union(words.map(lambda word: (word, 0))).cache()
    records = same.groupByKey().mapValues(lambda sizes: sorted(sizes))
    records.saveAsTextFile(f"out/words-{int(datetime.now().timestamp() * 1000)}.txt")
    records = (
        pairs.cogroup(same)
        .map(lambda pair: (pair[0], [len(list(group)) for group in pair[1]]))
    )
    for record in records.take(21)[:20]:
        print(record)
    records = words.repartition(1).mapPartitionsWithIndex(lambda at, part: [(at, len(list(part)))])
    for record in records.take(11)[:10]:
        print(record)
    same.unpersist()
    pairs.unpersist()
    words.unpersist()


query = (
    lines.unionByName(ticks, allowMissingColumns=True)
    .writeStream.foreachBatch(process_batch)
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
