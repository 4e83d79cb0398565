# UNKNOWN_NAME: 
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
from helpers import clean

lines.map(clean).pprint()
ssc.start()
ssc.awaitTermination()
