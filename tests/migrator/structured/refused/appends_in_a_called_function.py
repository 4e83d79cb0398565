# DRIVER_STATE: changes `kept` of the driver
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

kept = {}


def keep(lines):
    kept[len(kept)] = lines


def process(rdd):
    keep(rdd.collect())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
