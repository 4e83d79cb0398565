from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def make():
    return StreamingContext(SparkContext(), 1)
