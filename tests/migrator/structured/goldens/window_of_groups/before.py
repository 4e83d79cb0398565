"""The number of values of each key and the largest one, every two seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowOfGroups")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
fields = lines.map(lambda line: line.split(",")).filter(lambda fields: len(fields) == 2)
sizes = fields.map(lambda fields: (fields[0], len(fields[1])))
recent = sizes.window(4, 2).groupByKey()
recent.mapValues(len).pprint()
# keys that are gone from the window are not shown
recent.mapValues(max).pprint()

ssc.start()
ssc.awaitTermination()
