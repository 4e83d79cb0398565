# STATIC_SIDE: `rightOuterJoin` gives all rows
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
known = sc.parallelize([("a", 1)])
lines.map(lambda line: (line, 1)).transform(lambda rdd: rdd.rightOuterJoin(known)).pprint()
ssc.start()
ssc.awaitTermination()
