# Needs Spark 3.3 or newer.

import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def process(batch, batch_id):
    time = datetime.now().replace(microsecond=0)
    print("========= %s =========" % str(time))
    try:
        # Get the singleton instance of SparkSession
        spark = batch.sparkSession

        # Convert RDD[String] to RDD[Row] to DataFrame
        wordsDataFrame = batch

        # Creates a temporary view using the DataFrame.
        wordsDataFrame.createOrReplaceTempView("words")

        # Do word count on table using SQL and print it
        wordCountsDataFrame = spark.sql("select word, count(*) as total from words group by word")
        wordCountsDataFrame.show()
    except:
        pass


spark = SparkSession.builder.appName("PythonSqlNetworkWordCount").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
query = words.writeStream.foreachBatch(process).trigger(processingTime="1 second").start()
query.awaitTermination()
