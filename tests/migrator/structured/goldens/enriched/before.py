"""Sales with the names of their shops; shops that are not known are left out."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Enriched")
ssc = StreamingContext(sc, 1)

shops = sc.parallelize([("s1", "Oslo"), ("s2", "Rome"), ("s2", "Roma")])
sales = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])) \
    .map(lambda line: line.split(";")) \
    .filter(lambda parts: len(parts) == 2) \
    .map(lambda parts: (parts[0], parts[1]))
named = sales.transform(lambda rdd: rdd.join(shops))
named.map(lambda kv: "%s: %s" % (kv[1][1], kv[1][0])).pprint(20)

ssc.start()
ssc.awaitTermination()
