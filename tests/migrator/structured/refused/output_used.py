# NOTHING: `shown` is read, but `pprint` gives None
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
shown = lines.pprint()
if shown:
    print("shown")
ssc.start()
ssc.awaitTermination()
