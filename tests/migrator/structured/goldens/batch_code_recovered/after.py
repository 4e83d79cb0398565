# Needs Spark 3.3 or newer.

"""Goes on where it was stopped, with code of batches."""
import sys

from pyspark.sql import SparkSession


def create(folder, checkpoint):
    spark = SparkSession.builder.appName("BatchCodeRecovered").getOrCreate()
    lines = spark.readStream.text(folder)

    def process_batch(batch, batch_id):
        lines = batch.rdd.map(lambda row: row.value)
        halves = lines.map(lambda line: line.partition("=")[::2])
        records = halves.mapPartitions(lambda part: sorted(part, reverse=True))
        records = records.map(lambda record: (str(record),))
        frame = spark.createDataFrame(records, "value string")
        frame.write.mode("overwrite").text(f"out/halves-{batch_id}")

    return (
        lines.writeStream.foreachBatch(process_batch)
        .option("checkpointLocation", checkpoint + "/batch_code_recovered")
        .trigger(processingTime="1 second")
    )


writer = create(sys.argv[1], sys.argv[2])
query = writer.start()
query.awaitTermination()
