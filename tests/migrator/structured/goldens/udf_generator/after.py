# Needs Spark 3.4 or newer.

import re
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FIELD = re.compile(r"(\w+)=(\S*)")
NAMES = {"u": "user", "t": "time"}


def fields(line):
    for name, text in FIELD.findall(line):
        if name == "end":
            return
        try:
            yield NAMES.get(name, name), float(text)
        except ValueError:
            continue


def process_batch(batch, batch_id):
    batch.groupBy("name").agg(F.sum(F.col("text")).alias("text")).show(10, truncate=False)


def main():
    spark = SparkSession.builder.appName("Fields").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    # all numbers of a line
    fields_udf = F.udf(lambda line: list(fields(line)), "array<struct<name: string, text: double>>")
    numbers = lines.select(F.inline(fields_udf("value")).alias("name", "text"))
    query = (
        numbers.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
