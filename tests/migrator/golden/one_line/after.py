import os; import pyspark; import dstream_compat; from dstream_compat import StreamingContext; x = 1
if x: import dstream_compat.kafka
if x: import dstream_compat as streaming; y = 2
ssc = dstream_compat.StreamingContext(None, 1)
pyspark.SparkConf()
