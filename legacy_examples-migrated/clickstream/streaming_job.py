"""Base class of our streaming jobs: holds the contexts and knows how to run and to stop."""
import logging

from pyspark import SparkConf, SparkContext
import dstream_compat as streaming

log = logging.getLogger(__name__)


class StreamingJob(object):
    name = "StreamingJob"
    interval = 1
    py_files = []

    def __init__(self, settings=None):
        conf = SparkConf().setAppName(self.name)
        for key, value in (settings or {}).items():
            conf.set(key, value)
        self.sc = SparkContext(conf=conf, pyFiles=self.py_files)
        self.sc.setLogLevel("ERROR")
        self.ssc = streaming.StreamingContext(self.sc, self.interval)

    def source(self):
        raise NotImplementedError

    def define(self, stream):
        raise NotImplementedError

    def finished(self):
        """Asked once a second; a job that ends by itself overrides it."""
        return False

    def run(self):
        self.define(self.source())
        self.ssc.start()
        while not self.finished():
            if self.ssc.awaitTerminationOrTimeout(1):
                log.warning("%s was stopped from outside", self.name)
                return
        self.ssc.stop(stopSparkContext=True, stopGraceFully=True)
