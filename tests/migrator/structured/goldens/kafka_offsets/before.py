"""Counts the words of two topics, and prints the offsets of each batch."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

offset_ranges = []


def remember_offsets(rdd):
    # only the RDD of the stream itself knows them
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd


def print_offsets(rdd):
    for o in offset_ranges:
        print("%s[%d] %d -> %d" % (o.topic, o.partition, o.fromOffset, o.untilOffset))


def print_ends(rdd):
    print([(o.topic, o.untilOffset) for o in rdd.offsetRanges() if o.untilOffset > o.fromOffset])


sc = SparkContext(appName="KafkaOffsets")
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(
    ssc, ["more", "words"], {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"})
counts = messages.transform(remember_offsets) \
                 .map(lambda x: x[1]) \
                 .flatMap(lambda line: line.split(" ")) \
                 .map(lambda word: (word, 1)) \
                 .reduceByKey(lambda a, b: a + b)
counts.pprint()
messages.foreachRDD(print_offsets)
messages.foreachRDD(print_ends)

ssc.start()
ssc.awaitTermination()
