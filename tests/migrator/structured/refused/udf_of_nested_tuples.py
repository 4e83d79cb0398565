# NESTED: tuples of tuples
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def parts(line):
    found = []
    for word in line.split(" "):
        if word == "end":
            break
        found.append((word, (word.title(), 1)))
    return found


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.flatMap(parts).pprint()
ssc.start()
ssc.awaitTermination()
