from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class StreamingJob(object):
    """A job: subclasses say what is done with the lines."""

    interval = 1

    def __init__(self, name, host, port):
        self.name = name
        self.host = host
        self.port = port
        self.sc = SparkContext(appName=name)
        self.ssc = StreamingContext(self.sc, self.interval)

    def source(self):
        return self.ssc.socketTextStream(self.host, self.port)

    def process(self, lines):
        raise NotImplementedError

    def run(self):
        lines = self.source()
        self.process(lines)
        self.ssc.start()
        self.ssc.awaitTermination()
