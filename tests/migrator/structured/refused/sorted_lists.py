# SORT_ORDER: otherwise than Spark
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.map(lambda line: line.split(" ")).transform(
    lambda rdd: rdd.sortBy(lambda words: words)
).pprint()
ssc.start()
ssc.awaitTermination()
