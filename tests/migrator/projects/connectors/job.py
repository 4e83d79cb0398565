import sys

import pyspark
import pyspark.streaming  # expect: D101
from sources import SOURCES

sc = pyspark.SparkContext()
ssc = pyspark.streaming.StreamingContext(sc, 1)  # expect: D101
source = SOURCES[sys.argv[1]](ssc)
source.map(lambda x: x[1]).pprint()
ssc.addStreamingListener(pyspark.streaming.StreamingListener())  # expect: D101
ssc.start()
ssc.awaitTermination()
