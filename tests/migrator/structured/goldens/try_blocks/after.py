# Needs Spark 3.5 or newer.

"""Builds its streams at the top, and goes on in a `try` of the main script."""
import sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("TryBlocks").config("spark.log.level", "WARN").getOrCreate()
# each second
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
words = lines.select(F.upper(F.col("value")).alias("word"))

if __name__ == "__main__":
    try:
        def process_batch(batch, batch_id):
            # show
            batch.where(F.col("word") == "A").show(10, truncate=False)
            other = batch.select(F.concat(F.col("word"), F.lit("b")).alias("value"))
            other.show(10, truncate=False)

        query = (
            words.writeStream.foreachBatch(process_batch)
            .trigger(processingTime="1 second")
            .start()
        )
        query.awaitTermination()
    except KeyboardInterrupt:
        for started in spark.streams.active:
            started.stop()
        spark.stop()
    finally:
        print("end", file=sys.stderr)
