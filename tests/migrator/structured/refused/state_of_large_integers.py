# INT_RANGE: may not fit into 64 bits
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
pairs = ssc.textFileStream("in").map(lambda line: (line[:1], line))
pairs.updateStateByKey(lambda new, old: int(new[-1]) if new else old).pprint()
ssc.start()
ssc.awaitTermination()
