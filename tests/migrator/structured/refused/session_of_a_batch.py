# CAPTURED: `sc` is an object of the driver
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def log(count):
    print(sc.appName, count)


def report(rdd):
    log(rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream(sys.argv[1], 9999).foreachRDD(report)
ssc.start()
ssc.awaitTermination()
