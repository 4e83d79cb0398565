# FLOAT_TEXT: bound after the stream is built
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(lambda line: float(line) > LIMIT).pprint()
LIMIT = 1.0
ssc.start()
ssc.awaitTermination()
