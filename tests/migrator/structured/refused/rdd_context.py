# SPARK_CONTEXT: broadcasts and accumulators need a SparkContext
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    common = rdd.context.broadcast(["a", "the"])
    print(rdd.filter(lambda line: line not in common.value).count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
