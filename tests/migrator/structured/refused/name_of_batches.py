# NAME: `batch_id` is a name
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
batch_id = 7
lines.pprint(batch_id)
ssc.start()
ssc.awaitTermination()
