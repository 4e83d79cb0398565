# REBOUND: `counts` is assigned several times
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    counts = rdd.reduceByKey(lambda a, b: a + b)
    counts = counts.filter(lambda pair: pair[1] > 1)
    print(sorted(counts.collect()))


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
pairs.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
