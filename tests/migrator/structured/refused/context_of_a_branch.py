# BRANCH: a context or its settings depend on an `if`
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
if len(sys.argv) > 1:
    spark = sc
    lines = ssc.textFileStream(sys.argv[1])
else:
    lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
ssc.awaitTermination()
