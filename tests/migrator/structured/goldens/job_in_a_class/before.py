"""Counts words in an object of its own."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def parse(line):
    return line.split(" ")


class WordCount(object):
    """Counts words."""

    def __init__(self, host, port, interval=1):
        self.sc = SparkContext(appName="JobInAClass")
        self.ssc = StreamingContext(self.sc, interval)
        self.host = host
        self.port = port

    def lines(self):
        # the source
        return self.ssc.socketTextStream(self.host, self.port)

    def run(self):
        words = self.lines().flatMap(parse)
        self.counts = words.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
        self.counts.pprint()
        self.start()

    def start(self):
        self.ssc.start()
        self.ssc.awaitTermination()


if __name__ == "__main__":
    WordCount(sys.argv[1], int(sys.argv[2])).run()
