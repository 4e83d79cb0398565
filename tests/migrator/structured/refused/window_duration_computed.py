# DURATION: computed in the call
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, int(sys.argv[1]), 10).pprint()

ssc.start()
ssc.awaitTermination()
