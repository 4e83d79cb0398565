"""Counts the lines of files over a window."""
import sys

from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

spark = SparkSession.builder.appName("Files").getOrCreate()
ssc = StreamingContext(spark.sparkContext, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream(sys.argv[1])
lines.countByWindow(2, 1).pprint()

ssc.start()
ssc.awaitTermination()
