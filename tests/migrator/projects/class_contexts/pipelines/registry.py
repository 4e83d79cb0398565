from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


class Registry:
    """Has one context for all jobs of a process."""

    context = None

    @classmethod
    def get(cls, name, seconds=2):
        if cls.context is None:
            cls.context = Context(name, seconds)
        return cls.context

    @classmethod
    def finish(cls):
        with cls.context as ssc:
            ssc.start()
            ssc.awaitTermination()


class Context:
    def __init__(self, name, seconds):
        self.sc = SparkContext(appName=name)
        self.ssc = StreamingContext(self.sc, batchDuration=seconds)

    def __enter__(self):
        return self.ssc

    def __exit__(self, *details):
        self.ssc.stop(stopSparkContext=False, stopGraceFully=False)
        self.sc.stop()

    @property
    def logs(self):
        return self.ssc.textFileStream("logs")
