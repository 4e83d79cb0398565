# Needs Spark 3.3 or newer.

"""Makes its streams after `getOrCreate` has returned, so it never goes on from a checkpoint."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("StreamsAfterContext").getOrCreate()
# never read
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
records = lines.where(F.col("value").contains("a"))


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = records.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
