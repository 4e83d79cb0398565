# USE: `ssc` is used here in another way; it is
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
for name in sys.argv[1:]:
    ssc.textFileStream(name).pprint()
ssc.start()
ssc.awaitTermination()
