import pyspark
import dstream_compat
import os

sc = pyspark.SparkContext()
ssc = dstream_compat.StreamingContext(sc, batchDuration=2)
ssc.checkpoint("/tmp/x")
