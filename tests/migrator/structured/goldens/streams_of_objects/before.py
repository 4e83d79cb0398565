"""Builds streams by properties and methods of objects."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Source:
    def __init__(self, ssc, host):
        self.ssc = ssc
        self.host = host

    @property
    def lines(self):
        return self.ssc.socketTextStream(self.host, int(sys.argv[2]))

    def words(self):
        return self.lines.flatMap(lambda x: x.split(" "))


class Job:
    def __init__(self, source):
        self.source = source

    def run(self):
        self.source.words().pprint()


sc = SparkContext(appName="StreamsOfObjects")
ssc = StreamingContext(sc, 1)
job = Job(Source(ssc, sys.argv[1]))
job.run()
ssc.start()
ssc.awaitTermination()
