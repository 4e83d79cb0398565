# Needs Spark 3.3 or newer.

"""Builds a job in a method of an object that has other uses, too."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


class Words:
    name = "Job" + "InAMethod"

    def __init__(self, host):
        self.host = host

    def run(self, port):
        spark = SparkSession.builder.appName(self.name).getOrCreate()
        lines = (
            spark.readStream.format("socket")
            .option("host", self.host)
            .option("port", port)
            .option("numPartitions", 1)
            .load()
        )
        # only words
        is_wanted = F.udf(lambda line: line.isalpha(), "boolean")
        words2 = lines.where(is_wanted("value"))
        query = (
            words2.writeStream.foreachBatch(process_batch)
            .trigger(processingTime="1 second")
            .start()
        )
        query.awaitTermination()


if __name__ == "__main__":
    words = Words(sys.argv[1])
    print(words.host, words.name)
    words.run(int(sys.argv[2]))
