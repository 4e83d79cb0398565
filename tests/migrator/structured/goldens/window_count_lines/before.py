"""Counts the lines of five minutes, every minute."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

WINDOW = 5 * 60
sc = SparkContext(appName="WindowCountLines")
ssc = StreamingContext(sc, 30)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
# also when there is none
counted = lines.countByWindow(WINDOW, 60)
counted.pprint()

ssc.start()
ssc.awaitTermination()
