# STATE: aggregated before
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
def add(new, old):
    return sum(new) + (old or 0)


first = lines.map(lambda line: (line, 1)).updateStateByKey(add)
first.map(lambda pair: (pair[1], 1)).updateStateByKey(add).pprint()
ssc.start()
ssc.awaitTermination()
