# USE: `ssc` is used here in another way; it is StreamingContext
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
try:
    lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
except IndexError:
    lines = ssc.textFileStream("lines")
lines.pprint()
ssc.start()
ssc.awaitTermination()
