# SYNTAX: an integer that may not fit into 64 bits
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def number(line):
    try:
        return int(line)
    except ValueError:
        return -1


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(number).pprint()
ssc.start()
ssc.awaitTermination()
