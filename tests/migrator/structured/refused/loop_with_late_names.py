# USE: `lines` is used here in another way; it is a stream
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
for word in ("a", "b"):
    lines.filter(lambda line: word in line).pprint()
ssc.start()
ssc.awaitTermination()
