import pyspark as ps

ssc = ps.streaming.StreamingContext(ps.SparkContext(), 1)
