# LATE: `number` may have another value
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
number = 5
lines.pprint(number)
number = 20
lines.count().pprint(number)
ssc.start()
ssc.awaitTermination()
