# ARRIVAL_ORDER: which records come first
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    with open("first.txt", "a") as file:
        file.write(rdd.first())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream(sys.argv[1])
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
