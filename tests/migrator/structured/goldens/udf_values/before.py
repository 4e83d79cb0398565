import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def readings(text):
    found = []
    for part in text.split(";"):
        try:
            found.append(float(part))
        except ValueError:
            pass
    return found


sc = SparkContext(appName="Readings")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
sensors = lines.map(lambda line: (line.split("|")[0], line))
# of each sensor
values = sensors.flatMapValues(readings)
values.reduceByKey(lambda a, b: a + b).pprint()
sensors.mapValues(lambda line: len(line.title())).pprint()
sensors.mapValues(lambda line: line.title().swapcase()).pprint()
ssc.start()
ssc.awaitTermination()
