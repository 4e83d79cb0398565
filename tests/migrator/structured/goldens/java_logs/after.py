# Needs Spark 3.3 or newer.

"""Sets the levels of log4j in the JVM."""
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("JavaLogs").getOrCreate()
# only errors
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
