"""Computes arguments where it makes contexts and outputs."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main(folder, number):
    sc = SparkContext(appName="ComputedArguments")
    ssc = StreamingContext(sc, int(number) - 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    lines.saveAsTextFiles(folder + "/lines", "txt")
    lines.pprint(int(number))
    ssc.start()
    ssc.awaitTermination()


main(sys.argv[3], "2")
