# STATE: a stream with state is used with one without
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line, 1))
totals = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))
pairs.join(totals).pprint()
ssc.start()
ssc.awaitTermination()
