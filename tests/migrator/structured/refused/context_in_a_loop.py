# NO_JOB: no block of the file builds
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
for name in sys.argv[1:]:
    ssc = StreamingContext(sc, 1)
    ssc.textFileStream(name).pprint()
    ssc.start()
    ssc.awaitTermination(10)
    ssc.stop(False)
