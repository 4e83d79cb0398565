"""Tests and prints its streams as objects, and keeps what outputs give."""
import sys

from pyspark import *
from pyspark.streaming import *

sc = SparkContext(appName="StreamValues")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
print(type(lines), "of lines")  # to see it
print("-" * 10, lines.count())
first = second = lines.pprint()
third = lines.filter(lambda line: line).pprint()
if lines:
    # in capitals
    words = lines.map(lambda line: line.upper())
    shown = words.pprint()
else:
    print("no stream")
if lines is not None:
    lines.map(lambda line: len(line)).pprint()
if third is None:
    print("shown")
ssc.start()
ended = ssc.awaitTermination()
