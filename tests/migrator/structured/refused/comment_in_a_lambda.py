# LAMBDA: the lambda has comments in it
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(
    lambda rdd: print(
        # lines
        rdd.count()
    )
)
ssc.start()
ssc.awaitTermination()
