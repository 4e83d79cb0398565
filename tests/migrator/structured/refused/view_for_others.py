# VIEW: queries elsewhere do not see it
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line, 1))
pairs.foreachRDD(lambda rdd: rdd.toDF(["line", "one"]).createOrReplaceTempView("lines"))
ssc.start()
ssc.awaitTermination()
