# DRIVER_STATE: `stopping` changes while the job runs
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

stopping = False


def stop():
    global stopping
    stopping = True


def process(rdd):
    if not stopping:
        print(rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
