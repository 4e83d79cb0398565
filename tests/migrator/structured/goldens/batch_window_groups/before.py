"""The values of each key in the last seconds; a key stays in a long window without values."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchWindowGroups")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

lines = ssc.textFileStream(sys.argv[1])
pairs = lines.map(lambda line: tuple(line.partition(" ")[::2]))
pairs.groupByKeyAndWindow(2, 1).mapValues(sorted).pprint()
pairs.groupByKeyAndWindow(5, 1, 2).mapValues(lambda values: sorted(values)).pprint()
pairs.groupByKeyAndWindow(10, 2).map(lambda pair: (pair[0], len(pair[1]))).foreachRDD(
    lambda rdd: print("sizes", sorted(rdd.collect()))
)

ssc.start()
ssc.awaitTermination()
