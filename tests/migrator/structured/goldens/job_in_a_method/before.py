"""Builds a job in a method of an object that has other uses, too."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Words:
    name = "Job" + "InAMethod"

    def __init__(self, host):
        self.host = host

    def run(self, port):
        self.sc = SparkContext(appName=self.name)
        self.ssc = StreamingContext(self.sc, 1)
        lines = self.ssc.socketTextStream(self.host, port)
        # only words
        self.words = lines.filter(lambda line: line.isalpha())
        self.words.pprint()
        self.ssc.start()
        self.ssc.awaitTermination()


if __name__ == "__main__":
    words = Words(sys.argv[1])
    print(words.host, words.name)
    words.run(int(sys.argv[2]))
