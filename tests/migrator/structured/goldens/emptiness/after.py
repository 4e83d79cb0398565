# Needs Spark 4.0 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def largest(numbers, batch_id):
    """Prints the largest numbers of a batch."""
    if numbers.count() == 0:
        print("no numbers")
    elif numbers.take(1):
        print("from", numbers.agg(F.min(F.col("value"))).first()[0], "to", numbers.agg(F.max(F.col("value"))).first()[0])
        print("sum", numbers.agg(F.coalesce(F.sum(F.col("value")), F.lit(0))).first()[0])
        counted = numbers.groupBy("value").count()
        for number, times in counted.orderBy(F.col("count").desc(), "value").take(3):
            print(number, times)
        for number, times in sorted(dict(numbers.groupBy("value").count().collect()).items()):
            print(number, "occurs", times, "times")
        ordered = (
            numbers.select((F.col("value") * 2).alias("value"))
            .distinct()
            .orderBy(F.col("value").desc())
        )
        print(ordered.first().value)
    records = [row.value for row in numbers.collect()]
    print(sorted(records, reverse=True))


spark = SparkSession.builder.appName("Numbers").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
stream = lines.where(F.col("value") != "").select((F.length(F.col("value")) % 10).alias("value"))
query = stream.writeStream.foreachBatch(largest).trigger(processingTime="1 second").start()
query.awaitTermination()
