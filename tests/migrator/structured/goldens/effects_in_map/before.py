"""Sends each record from a map, as far as it is printed."""
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def send(reading):
    with open("sent.txt", "a") as out:
        out.write(reading + "\n")
    return reading.upper()


sc = SparkContext("local[2]", "Effects")
ssc = StreamingContext(sc, 1)
readings = ssc.socketTextStream("localhost", 9999)
readings.filter(lambda line: line != "").map(send).pprint(2)
ssc.start()
ssc.awaitTermination()
