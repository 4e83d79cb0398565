# UNKNOWN_NAME: depends on random numbers
import random

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(lambda line: random.random() < 0.1).pprint()
ssc.start()
ssc.awaitTermination()
