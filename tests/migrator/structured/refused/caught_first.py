# EMPTY_BATCH: whose ValueError is caught here
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    try:
        print(rdd.filter(lambda line: line > "b").first())
    except ValueError:
        print("nothing")


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
