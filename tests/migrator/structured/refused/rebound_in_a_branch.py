# USE: used here in another way; it is a stream
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
if len(sys.argv) > 1:
    lines = lines.filter(lambda line: line)
lines.pprint()
ssc.start()
ssc.awaitTermination()
