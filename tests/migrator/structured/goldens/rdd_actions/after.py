# Needs Spark 4.0 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main():
    spark = SparkSession.builder.appName("Chains").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )

    def process(batch, batch_id):
        if not batch.isEmpty():
            # words, and how often they occur
            # one by one
            counts = (
                batch.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
                .groupBy("word")
                .count()
            )
            counts.cache()
            print("different words:", counts.count())
            ordered = counts.orderBy(F.col("count").desc())
            print("most frequent:", [tuple(row) for row in ordered.take(1)])
            print("all:", sorted(row.word for row in counts.select("word").collect()))
            print("as a dict:", sorted(dict(counts.collect()).items()))
            largest = batch.agg(F.max(F.length(F.col("value"))))
            total = batch.agg(F.coalesce(F.sum(F.length(F.col("value"))), F.lit(0)))
            print("longest:", largest.first()[0], total.first()[0])
            for pair in map(tuple, counts.orderBy(F.col("word").desc()).take(2)):
                print(pair)
            counts.unpersist()

    query = lines.writeStream.foreachBatch(process).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    main()
