# Needs Spark 3.3 or newer.

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def report(word, count):
    return f"{word:<6}|{count:>3}"


def main(host, port):
    spark = SparkSession.builder.appName("Reports").getOrCreate()
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
    counts = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    to_value = F.udf(lambda pair: report(pair[0], pair[1]), "string")

    def process_batch(batch, batch_id):
        counts = batch.groupBy("word").count()
        counts.select(to_value(F.struct("word", "count")).alias("value")).show(20, truncate=False)
        save(counts)

    query = (
        counts.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()


def save(batch):
    selected = batch.select(
        F.udf(lambda pair: "%s=%05d" % pair, "string")(F.struct("word", "count")).alias("value"),
    )
    for line in sorted(row.value for row in selected.collect()):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
