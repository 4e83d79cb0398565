# NAMED_TUPLES: `Visit` has another meaning here
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Visit = namedtuple("Visit", "user page")

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)


def show(rdd):
    for Visit in rdd.collect():
        print(Visit)


lines.map(lambda line: Visit(line, 1)).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
