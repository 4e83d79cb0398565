"""The counts of windows of several lengths, joined by one key."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="JoinedWindows")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))


def counts(seconds):
    window = lines.window(seconds, 1)
    return window.count().map(lambda count: ("count", count))


one, two, four = counts(1), counts(2), counts(4)
last = one.join(two).join(four).map(lambda pair: (pair[1][0][0], pair[1][0][1], pair[1][1]))
last.pprint()
ssc.start()
ssc.awaitTermination()
