import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def amount(line):
    name, _, text = line.partition(":")
    try:
        return name, float(text)
    except ValueError:
        return name, 0.0


def add(new, total):
    return sum(new, total or 0.0)


sc = SparkContext(appName="Amounts")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
totals = lines.map(amount).updateStateByKey(add)
totals.pprint()
ssc.start()
ssc.awaitTermination()
