"""Counts the words of two topics."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="KafkaDirect")
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(
    ssc, ["words", "more"], {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"})
counts = messages.map(lambda x: x[1]) \
                 .flatMap(lambda line: line.split(" ")) \
                 .map(lambda word: (word, 1)) \
                 .reduceByKey(lambda a, b: a + b)
counts.pprint()

ssc.start()
ssc.awaitTermination()
