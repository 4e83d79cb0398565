# DURATION: between two slides
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
length = int(sys.argv[1])
lines.window(length, 10).count().pprint()

ssc.start()
ssc.awaitTermination()
