# INT_TEXT: may be an integer
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: int(line)).pprint()
ssc.start()
ssc.awaitTermination()
