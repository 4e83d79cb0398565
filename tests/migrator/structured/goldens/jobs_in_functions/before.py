"""Has two jobs in functions, and runs the one that its arguments say."""
import sys
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def count(words):
    return words.map(lambda w: (w, 1)).reduceByKey(add)


def words(host, port):
    sc = SparkContext(appName="Words")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(host, port)
    count(lines.flatMap(lambda line: line.split(" "))).pprint()
    ssc.start()
    ssc.awaitTermination()


def lengths(host, port):
    sc = SparkContext(appName="Lengths")
    # twice as long
    ssc = StreamingContext(sc, 2)
    lines = ssc.socketTextStream(host, port)
    count(lines.map(lambda line: len(line))).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    run = words if sys.argv[3] == "words" else lengths
    run(sys.argv[1], int(sys.argv[2]))
