# SYNTAX: an error of a class that is not known
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class NoPrice(ValueError):
    pass


def price(line):
    if not line:
        raise NoPrice(line)
    for each in line.split(","):
        return float(each)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(price).pprint()
ssc.start()
ssc.awaitTermination()
