import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Operators")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], len(line) % 7))
# by the first word
grouped = pairs.groupByKey()
grouped.mapValues(len).pprint(50)
grouped.mapValues(sum).pprint(50)
grouped.mapValues(lambda lengths: max(lengths)).pprint(50)
grouped.map(lambda pair: (pair[0], len(set(pair[1])))).pprint(50)
grouped.mapValues(sorted).pprint(50)
ssc.start()
ssc.awaitTermination()
