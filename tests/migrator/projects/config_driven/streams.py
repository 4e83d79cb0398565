import pyspark.streaming as streaming  # expect: D101
from pyspark import SparkContext


def make_context(config):
    return streaming.StreamingContext(SparkContext.getOrCreate(), config["interval"])
