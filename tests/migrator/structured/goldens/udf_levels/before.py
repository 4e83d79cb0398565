import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

LIMITS = {"disk": 90, "cpu": 75}


def usage(line):
    return int(line.rpartition(" ")[2].rstrip("%"))


def is_high(line):
    name = line.split(" ")[0]
    return usage(line) > LIMITS.get(name, 50)


sc = SparkContext(appName="Levels")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
high = lines.filter(is_high)
high.pprint()
high.map(lambda line: "%s!" % line.title()).pprint()
high.filter(lambda line: "disk" in line).count().pprint()
ssc.start()
ssc.awaitTermination()
