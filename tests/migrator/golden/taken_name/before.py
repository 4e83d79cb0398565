from pyspark.streaming import StreamingContext
import pyspark.streaming as st

dstream_compat = "my own thing"
