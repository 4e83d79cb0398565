# SYNTAX: its result is float or the integer 0
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def price(line):
    try:
        return float(line)
    except ValueError:
        return 0


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(price).pprint()
ssc.start()
ssc.awaitTermination()
