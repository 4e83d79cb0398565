import os
import pyspark  # the streaming part
import dstream_compat

sc = pyspark.SparkContext(appName="x")
ssc = dstream_compat.StreamingContext(sc, 1)
