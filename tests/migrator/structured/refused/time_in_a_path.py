# BATCH_TIME: Structured Streaming knows only when a batch is computed
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(time, rdd):
    rdd.saveAsTextFile("out/%s" % time)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
