# Needs Spark 3.3 or newer.

"""Makes its contexts and streams in a `try`, and starts in its `else`."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

try:
    spark = SparkSession.builder.appName("TryAndElse").getOrCreate()
    # each line
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .option("numPartitions", 1)
        .load()
    )
    records = lines.select(F.upper(F.col("value")).alias("value"))

    def process_batch(batch, batch_id):
        batch.show(10, truncate=False)

except ValueError as error:
    print(error, file=sys.stderr)
else:
    query = (
        records.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()
