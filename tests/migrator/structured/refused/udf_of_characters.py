# UNKNOWN_FUNCTION: `chr(int)` is not known
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: chr(len(line))).pprint()
ssc.start()
ssc.awaitTermination()
