# COMBINER: the functions are no sums
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
pairs.transform(lambda rdd: rdd.foldByKey(1, lambda a, b: a + b)).pprint()
ssc.start()
ssc.awaitTermination()
