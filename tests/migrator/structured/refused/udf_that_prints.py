# SYNTAX: has an effect besides the result
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def price(line):
    try:
        return float(line)
    except ValueError:
        print("no price:", line)
        return None


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(price).pprint()
ssc.start()
ssc.awaitTermination()
