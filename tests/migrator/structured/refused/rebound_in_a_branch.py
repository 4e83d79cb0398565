# BRANCH: `counts` is computed in the batches in one branch
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
counts = ssc.socketTextStream("localhost", 9999).map(lambda line: (line, 1))
if len(sys.argv) > 1:
    counts = counts.reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
