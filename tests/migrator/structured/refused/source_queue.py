# QUEUE: where code of batches takes them
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
ssc.queueStream([sc.parallelize([1, 2])]).pprint()

ssc.start()
ssc.awaitTermination()
