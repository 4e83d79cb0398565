# Needs Spark 3.3 or newer.

"""Goes on from a folder that only `getOrCreate` is given."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    batch.groupBy("word").count().show(10, truncate=False)


def create(source):
    spark = SparkSession.builder.appName("CreatedFolder").getOrCreate()
    words = (
        spark.readStream.text(source)
        .select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    )
    return (
        words.writeStream.foreachBatch(process_batch)
        .option("checkpointLocation", checkpoint + "/created_folder")
        .trigger(processingTime="1 second")
    )


if __name__ == "__main__":
    source, checkpoint = sys.argv[1:]
    writer = create(source)
    query = writer.start()
    query.awaitTermination()
