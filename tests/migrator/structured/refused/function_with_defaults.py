# PARAMETERS: other parameters than the time and the RDD
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(lambda rdd, name="lines": print(name, rdd.count()))
ssc.start()
ssc.awaitTermination()
