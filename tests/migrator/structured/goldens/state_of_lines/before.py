"""Keeps the last two lengths of each first letter, in the order of the lines."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def last_sizes(new, sizes):
    return ((sizes or []) + new)[-2:]


sc = SparkContext(appName="StateOfLines")
sc.setLogLevel("ERROR")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[3])
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.map(lambda line: (line[:1], len(line))).updateStateByKey(last_sizes).pprint(20)
lines.filter(lambda line: len(line) > 1).pprint(3)
ssc.start()
ssc.awaitTermination()
