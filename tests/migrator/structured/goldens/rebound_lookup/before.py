"""Joins with a table that the outputs of the job replace."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

known = None


def refresh(rdd):
    global known
    rows = rdd.filter(lambda line: "=" in line).map(lambda line: tuple(line.split("=", 1)))
    if not rows.isEmpty():
        known = sc.parallelize(rows.collect())


def with_names(rdd):
    if known is None:
        return rdd.map(lambda key: (key, None))
    return rdd.map(lambda key: (key, 1)).leftOuterJoin(known).mapValues(lambda both: both[1])


if __name__ == "__main__":
    sc = SparkContext(appName="ReboundLookup")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
    lines.filter(lambda line: "=" not in line).transform(with_names).pprint()
    lines.foreachRDD(refresh)
    ssc.start()
    ssc.awaitTermination()
