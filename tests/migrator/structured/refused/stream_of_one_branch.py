# BRANCH: `lines` is made in one branch of an `if` only
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
if len(sys.argv) > 1:
    lines = ssc.textFileStream(sys.argv[1])
lines.pprint()
ssc.start()
ssc.awaitTermination()
