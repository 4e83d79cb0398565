# UNKNOWN_NAME: is no constant or function of this file
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


seen = {}


def is_new(line):
    return line not in seen


def remember(rdd):
    for line in rdd.take(10):
        seen[line] = True


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(is_new).foreachRDD(remember)
ssc.start()
ssc.awaitTermination()
