"""What depends on the order of lines: the first one, their numbers, and what is put together."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def numbered(rdd):
    return rdd.zipWithIndex().map(lambda pair: "%d %s" % (pair[1], pair[0]))


def joined(rdd):
    if not rdd.isEmpty():
        print(rdd.first(), "|".join(rdd.collect()), rdd.take(2))


sc = SparkContext(appName="Order")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
lines.transform(numbered).pprint()
lines.foreachRDD(joined)
lines.reduce(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
