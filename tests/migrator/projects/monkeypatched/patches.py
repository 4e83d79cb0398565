"""Adds what somebody missed to Spark's classes."""

from pyspark.streaming import DStream  # expect: D101


def print_java(self, num=10):
    self._jdstream.print(num)  # expect: D601


def distinct(self):
    return self.transform(lambda rdd: rdd.distinct())  # expect: D802


DStream.printJava = print_java  # expect: D604
DStream.distinct = distinct  # expect: D604
setattr(DStream, "name", lambda self, name: self)  # expect: D604
