# USE: `lines` is used here in another
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
streams = [lines]
streams[0].pprint()
ssc.start()
ssc.awaitTermination()
