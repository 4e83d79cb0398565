import os; import pyspark; from pyspark.streaming import StreamingContext; x = 1
if x: import pyspark.streaming.kafka
if x: from pyspark import streaming; y = 2
ssc = pyspark.streaming.StreamingContext(None, 1)
pyspark.SparkConf()
