# UNKNOWN_NAME: `Row
import sys

from pyspark import SparkContext
from records import Row
from pyspark.streaming import StreamingContext


def process(rdd):
    if not rdd.isEmpty():
        print(rdd.map(lambda line: Row(line=line)).collect())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
