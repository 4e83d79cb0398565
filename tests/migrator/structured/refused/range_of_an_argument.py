# USE: `ssc` is used here in another way
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
for number in range(int(sys.argv[1])):
    ssc.textFileStream("in" + str(number)).pprint()
ssc.start()
ssc.awaitTermination()
