# CREATE: is passed on
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.textFileStream("in").pprint()
    return ssc


def run(build):
    ssc = build()
    ssc.start()


job = run(create)
