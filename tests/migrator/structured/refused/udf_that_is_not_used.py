# EVALUATION: would not evaluate it
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: float(line)).count().pprint()
ssc.start()
ssc.awaitTermination()
