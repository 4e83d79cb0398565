# CONTEXTS: a context is stopped before the job begins
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="First")
print(sc.version)
sc.stop()
sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
