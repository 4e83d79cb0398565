# CREATE: is not used exactly once
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.textFileStream("in").pprint()
    return ssc


create().stop()
ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
