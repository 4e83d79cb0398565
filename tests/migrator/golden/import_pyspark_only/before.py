import pyspark
import os

sc = pyspark.SparkContext()
ssc = pyspark.streaming.StreamingContext(sc, batchDuration=2)
ssc.checkpoint("/tmp/x")
