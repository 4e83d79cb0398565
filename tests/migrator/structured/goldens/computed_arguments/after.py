# Needs Spark 3.3 or newer.

"""Computes arguments where it makes contexts and outputs."""
import sys
from datetime import datetime

from pyspark.sql import SparkSession


def main(folder, number):
    spark = SparkSession.builder.appName("ComputedArguments").getOrCreate()
    interval = int(number) - 1
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .option("numPartitions", 1)
        .load()
    )
    prefix = folder + "/lines"

    def process_batch(batch, batch_id):
        batch.write.text(f"{prefix}-{int(datetime.now().timestamp() * 1000)}.txt")
        batch.show(number2, truncate=False)

    number2 = int(number)
    query = (
        lines.writeStream.foreachBatch(process_batch)
        .trigger(processingTime=f"{interval} seconds")
        .start()
    )
    query.awaitTermination()


main(sys.argv[3], "2")
