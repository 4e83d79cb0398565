"""Counts the words of files."""
import sys

from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

spark = SparkSession.builder.appName("Files").getOrCreate()
ssc = StreamingContext(spark.sparkContext, 1)
files = ssc.textFileStream(sys.argv[1])
files.count().map(lambda n: "%d line(s)" % n).pprint()
files.flatMap(lambda line: line.split(" ")).map(lambda x: (x, 1)).reduceByKey(lambda x, y: x + y).pprint()

ssc.start()
ssc.awaitTermination()
