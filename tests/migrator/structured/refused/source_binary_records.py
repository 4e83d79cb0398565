# SOURCE: `binaryFile` gives whole files
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
ssc.binaryRecordsStream("in", 8).pprint()

ssc.start()
ssc.awaitTermination()
