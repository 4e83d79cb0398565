from abc import ABC, abstractmethod

from engine import create_engine


class StreamingJob(ABC):
    """A job: subclasses say what is read and what is done with it."""

    def __init__(self, name, interval=10):
        self.name = name
        self.sc, self.ssc = create_engine(name, interval)
        self.stream = None

    @abstractmethod
    def source(self): ...

    @abstractmethod
    def process(self, stream): ...

    def run(self):
        self.stream = self.source()
        result = self.process(self.stream)
        result.foreachRDD(self.store)
        result.toDF().show()  # expect: D301?
        self.ssc.start()
        self.ssc.awaitTerminationOrTimeout(3600)
        self.ssc.stop(stopSparkContext=True, stopGraceFully=True)

    def store(self, rdd):
        rdd.foreachPartition(self.write)  # expect: D802

    @staticmethod
    def write(rows):
        for row in rows:
            print(row)
