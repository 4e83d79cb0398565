# SYNTAX: the effect of the statement `global`
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


count = 0


def numbered(line):
    global count
    count += 1
    return "%d %s" % (count, line)


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(numbered).pprint()
ssc.start()
ssc.awaitTermination()
