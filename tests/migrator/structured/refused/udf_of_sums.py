# FLOAT_TEXT: its result is float or the integer 0
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: sum(float(each) for each in line.split(","))).pprint()
ssc.start()
ssc.awaitTermination()
