from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext  # expect: D101


def start_streaming(name, interval=1):
    spark = SparkSession.builder.appName(name).getOrCreate()
    return StreamingContext(spark.sparkContext, batchDuration=interval)
