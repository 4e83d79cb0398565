# USE: `lines` is used here in
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
print(lines)
ssc.start()
ssc.awaitTermination()
