"""Keeps the sum of each sensor's readings; a line is "<sensor> <reading>"."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def parse(line):
    sensor, reading = line.split(" ")
    return sensor, int(reading)


def update(readings, total):
    return sum(readings) + (total or 0)


sc = SparkContext(appName="StatefulSum")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[3])
readings = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).map(parse)
totals = readings.updateStateByKey(update)
totals.pprint()
ssc.start()
ssc.awaitTermination()
