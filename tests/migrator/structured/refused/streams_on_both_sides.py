# USE: `ssc` is used here
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.socketTextStream("localhost", 9999).pprint()
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.textFileStream(sys.argv[1]).pprint()
ssc.start()
ssc.awaitTermination()
