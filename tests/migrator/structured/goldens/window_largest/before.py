"""The highest temperature of each place in three seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowLargest")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
readings = lines.map(lambda line: line.split(","))
pairs = readings.map(lambda fields: (fields[0], len(fields[1])))
pairs.reduceByKeyAndWindow(max, None, 3).pprint()
pairs.reduceByKeyAndWindow(lambda a, b: a if a < b else b, None, 3).pprint()

ssc.start()
ssc.awaitTermination()
