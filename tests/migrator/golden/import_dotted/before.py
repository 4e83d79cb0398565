import pyspark.streaming
import sys

ssc = pyspark.streaming.StreamingContext(sys.argv[1], 1)


def check(x):
    return isinstance(x, pyspark.streaming.DStream)
