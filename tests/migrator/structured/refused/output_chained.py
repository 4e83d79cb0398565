# NOTHING: `pprint` gives None, no stream
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint().saveAsTextFiles("out")
ssc.start()
ssc.awaitTermination()
