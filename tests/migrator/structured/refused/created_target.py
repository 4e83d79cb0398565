# TARGET: assigned to something else
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.textFileStream("in").pprint()
    return ssc


contexts = {}
contexts["one"] = StreamingContext.getOrCreate("checkpoint", create)
contexts["one"].start()
