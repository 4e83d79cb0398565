import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Operators")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], len(line) % 7))
totals = pairs.combineByKey(
    lambda length: (length, 1),
    lambda total, length: (total[0] + length, total[1] + 1),
    lambda a, b: (a[0] + b[0], a[1] + b[1]),
)
totals.pprint(50)
longest = pairs.combineByKey(lambda n: n, lambda a, n: max(a, n), lambda a, b: max(a, b))
longest.pprint(50)
sums = pairs.transform(lambda rdd: rdd.aggregateByKey(
    (0, 0), lambda total, n: (total[0] + n, total[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
))
sums.pprint(50)
pairs.transform(lambda rdd: rdd.foldByKey(0, lambda a, b: a + b)).pprint(50)
ssc.start()
ssc.awaitTermination()
