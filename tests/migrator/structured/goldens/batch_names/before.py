import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

batch = 2
batch_id = "the longest"

sc = SparkContext(appName="Names")
ssc = StreamingContext(sc, batch)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))


def show(rdd):
    for line in rdd.take(1):
        print(batch_id, len(line))


lines.pprint(batch)
lines.foreachRDD(show)
ssc.start()
ssc.awaitTermination()
