# FUNCTION: called with a stream, and is no part
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def show(stream):
    for name in sys.argv[1:]:
        if name == "all":
            return stream
    return stream.filter(lambda line: line)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
show(lines).pprint()
ssc.start()
ssc.awaitTermination()
