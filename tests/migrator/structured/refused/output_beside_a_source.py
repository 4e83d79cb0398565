# BRANCH: `pprint` depends on an `if` that makes streams, too
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
if len(sys.argv) > 1:
    files = ssc.textFileStream(sys.argv[1])
    files.pprint()
lines.pprint()
ssc.start()
ssc.awaitTermination()
