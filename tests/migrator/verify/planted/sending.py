import logging

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def store(pairs):
    for word, count in pairs:
        logging.warning("%s %d", word, count)


sc = SparkContext(appName="sending")
ssc = StreamingContext(sc, 1)
words = ssc.socketTextStream("localhost", 9999)
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(lambda rdd: rdd.filter(lambda pair: pair[1] > 1).foreachPartition(store))
counts.pprint(2)

ssc.start()
ssc.awaitTermination()
