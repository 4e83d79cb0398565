import logging

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

log = logging.getLogger("storing")


def store(rdd):
    for word in rdd.collect():
        log.warning("stored %s", word)


sc = SparkContext(appName="storing")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.split(" "))
words.filter(lambda word: len(word) > 2).foreachRDD(store)

ssc.start()
ssc.awaitTermination()
