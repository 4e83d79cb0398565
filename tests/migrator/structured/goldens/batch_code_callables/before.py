"""Gives methods to its outputs: bound ones that take the time, and those of a class."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Totals:
    def __init__(self):
        self.seen = 0

    def add(self, time, rdd):
        self.seen += rdd.count()
        print("%d at %s" % (self.seen, time))

    @staticmethod
    def words(rdd):
        return rdd.flatMap(str.split).sortBy(lambda word: word)

    @staticmethod
    def paired(one, other):
        return one.cartesian(other).filter(lambda pair: pair[0][0] < pair[1])


def main():
    sc = SparkContext(appName="BatchCodeCallables")
    ssc = StreamingContext(sc, 1)
    totals = Totals()
    lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
    words = lines.transform(Totals.words)
    words.foreachRDD(totals.add)
    numbered = words.transform(lambda rdd: rdd.zipWithIndex())
    numbered.transformWith(totals.paired, words).pprint(4)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
