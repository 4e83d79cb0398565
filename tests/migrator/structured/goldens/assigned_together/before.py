"""Assigns contexts and streams together, and says their types."""
import sys

from pyspark import SparkContext
from pyspark.streaming import DStream, StreamingContext


def split(stream: DStream) -> DStream:
    return stream.flatMap(lambda line: line.split(" "))


sc: SparkContext = SparkContext(appName="AssignedTogether")
ssc: StreamingContext = StreamingContext(sc, 1)
lines: DStream = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
# both of the lines
words, long = split(lines), lines.filter(lambda line: len(line) > 2)
words.pprint()
long.pprint()
first = second = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
first.pprint()
second.filter(lambda pair: pair[1] > 1).pprint()
ssc.start()
ssc.awaitTermination()
