# OFFSET_RANGES: only the stream that `createDirectStream` gives
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    print(rdd.offsetRanges())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
