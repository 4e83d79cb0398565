# LAYOUT: several statements are on one line
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(time, rdd): print(time, rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
