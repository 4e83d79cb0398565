import pyspark as ps
import dstream_compat

ssc = dstream_compat.StreamingContext(ps.SparkContext(), 1)
