"""Prints how many errors there are in a log, and the first of them."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def report(time, rdd):
    if rdd.isEmpty():
        return
    errors = sorted(rdd.collect())
    print("%d errors" % len(errors))
    for error in errors[:2]:
        print(error)


def main():
    sc = SparkContext(appName="Errors")
    ssc = StreamingContext(sc, 2)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    errors = lines.filter(lambda line: "ERROR" in line)
    errors.map(lambda line: line.strip().upper()).foreachRDD(report)
    errors.pprint(3)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
