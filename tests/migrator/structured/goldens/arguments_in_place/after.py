# Needs Spark 3.3 or newer.

import logging
import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

log = logging.getLogger(__name__)


def main():
    spark = SparkSession.builder.appName("Places").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
    )
    words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    limit = int(sys.argv[3])

    def report(batch, batch_id):
        now = datetime.now().replace(microsecond=0)
        log.info("batch of %s", now)
        total = batch.count()
        records = batch.select(F.length(F.col("word")).alias("length")).distinct()
        print("%d words" % total, "in %d lengths" % records.count())
        if total > limit:
            lengths = (
                batch.groupBy(F.length(F.col("word")).alias("length"))
                .agg(F.array_sort(F.collect_list(F.col("word"))).alias("word"))
            )
            for length, found in sorted(lengths.collect()):
                print(length, found)
            nested = batch.groupBy("word", F.length(F.col("word")).alias("length")).count()
            print(sorted(((row.word, row.length), row["count"]) for row in nested.collect())[:3])

    query = words.writeStream.foreachBatch(report).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    main()
