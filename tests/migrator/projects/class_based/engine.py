from pyspark import SparkContext
from pyspark.streaming.context import StreamingContext  # expect: D101


def create_engine(name, interval):
    sc = SparkContext(appName=name)
    return sc, StreamingContext(sc, interval)
