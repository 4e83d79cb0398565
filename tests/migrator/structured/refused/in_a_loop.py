# USE: `ssc` is used here
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
for port in (1, 2):
    ssc.socketTextStream("localhost", port).pprint()
ssc.start()
