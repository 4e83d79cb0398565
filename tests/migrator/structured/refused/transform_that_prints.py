# TRANSFORM: more than RDD methods
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def show(rdd):
    print(rdd.count())
    return rdd


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.transform(show).pprint()
ssc.start()
ssc.awaitTermination()
