import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

LEVELS = ("ERROR", "WARN")


def level(line):
    return line.split(" ")[0]


# two cores are enough
conf = SparkConf().setAppName("LogLevels").set("spark.sql.shuffle.partitions", "2")
conf.set("spark.streaming.blockInterval", "100ms")
sc = SparkContext(conf=conf)
sc.setLogLevel("WARN")  # less noise
ssc = StreamingContext(sc, 2)

lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))

# what matters
serious = lines.filter(lambda line: level(line) in LEVELS)

# how often each level occurs
serious.map(level).countByValue().pprint()
# and how many there are
serious.count().pprint()

ssc.start()
ssc.awaitTermination()
