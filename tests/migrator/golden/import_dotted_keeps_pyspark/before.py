import os
import pyspark.streaming  # the streaming part

sc = pyspark.SparkContext(appName="x")
ssc = pyspark.streaming.StreamingContext(sc, 1)
