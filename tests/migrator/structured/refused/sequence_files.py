# HADOOP_FILES: DataFrames have no such writer
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def process(rdd):
    rdd.saveAsSequenceFile("out")


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
pairs.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
