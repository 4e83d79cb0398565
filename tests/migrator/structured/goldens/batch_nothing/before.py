"""Shows batches only where there is something to show."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

LIMIT = 2


def loud(rdd):
    errors = rdd.filter(lambda line: "ERROR" in line)
    if not errors.isEmpty():
        return errors.map(lambda line: line.lower())


def enough(time, rdd):
    if rdd.count() < LIMIT:
        return None
    return rdd.sortBy(len)


def report(rdd):
    print("longest: %s" % rdd.collect()[-1])


sc = SparkContext(appName="BatchNothing")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
errors = lines.transform(loud)
errors.pprint(3)
errors.foreachRDD(lambda rdd: print("%d errors" % rdd.count()))
lines.transform(enough).foreachRDD(report)
lines.transform(lambda rdd: None if rdd.isEmpty() else rdd.map(len)).pprint()
ssc.start()
ssc.awaitTermination()
