# START: no streams and outputs after
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.pprint()
ssc.start()
ssc.awaitTermination()
lines.count().pprint()
