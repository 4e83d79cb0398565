# TARGET: a stream or context is assigned to an attribute
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    def __init__(self, name):
        self.sc = SparkContext(appName=name)
        self.ssc = StreamingContext(self.sc, 1)
        self.ssc.socketTextStream("localhost", 9999).pprint()

    def run(self):
        self.ssc.start()
        self.ssc.awaitTermination()


for name in sys.argv[1:]:
    Job(name).run()
