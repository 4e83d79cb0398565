# FUNCTION_USES: `process` is used in several places
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    print(rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
pairs.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
