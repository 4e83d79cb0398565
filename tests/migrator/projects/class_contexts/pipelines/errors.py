"""Functions of a stream that a decorator injects; Spark is not named here."""

from .decorators import job


@job("logs")
def errors(stream):
    return stream.filter(lambda line: " ERROR " in line).map(lambda line: line.split(" ERROR ")[1])


@job("logs")
def levels(stream):
    return stream.map(lambda line: line.split()[1]).countByValue()


@job("logs")
def save(stream):
    stream.window(4, 2).count().saveAsTextFiles("counts")
