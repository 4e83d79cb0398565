# DRIVER_PROCESS: `sys.argv` is that of the driver
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    print(sys.argv[1], rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
