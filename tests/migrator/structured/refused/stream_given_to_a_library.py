# USE: `lines` is used here in another way; it is
import library
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
library.watch(lines)
lines.pprint()
ssc.start()
ssc.awaitTermination()
