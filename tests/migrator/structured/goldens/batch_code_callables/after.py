# Needs Spark 3.3 or newer.

"""Gives methods to its outputs: bound ones that take the time, and those of a class."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


class Totals:
    def __init__(self):
        self.seen = 0

    def add(self, time, rdd):
        self.seen += rdd.count()
        print("%d at %s" % (self.seen, time))

    @staticmethod
    def words(rdd):
        return rdd.flatMap(str.split).sortBy(lambda word: word)

    @staticmethod
    def paired(one, other):
        return one.cartesian(other).filter(lambda pair: pair[0][0] < pair[1])


def main():
    spark = SparkSession.builder.appName("BatchCodeCallables").getOrCreate()
    totals = Totals()
    lines = (
        spark.readStream.format("socket")
        .option("host", "localhost")
        .option("port", int(sys.argv[1]))
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
        batch_time = datetime.now().replace(microsecond=0)
        lines = batch.where("tick IS NULL").rdd.map(lambda row: row.value)
        words = Totals.words(lines)
        totals.add(batch_time, words)
        numbered = words.zipWithIndex()
        records = totals.paired(numbered, words)
        for record in records.take(5)[:4]:
            print(record)

    query = (
        lines.unionByName(ticks, allowMissingColumns=True)
        .writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
