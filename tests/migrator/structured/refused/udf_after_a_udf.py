# EVALUATION: before the condition of a Python UDF
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def is_price(line):
    return line.isdecimal()


def price(line):
    return float(line)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(is_price).map(price).filter(lambda value: value > 1.0).pprint()
ssc.start()
ssc.awaitTermination()
