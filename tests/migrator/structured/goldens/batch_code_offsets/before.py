"""Counts the words of two topics, and keeps the offsets of each batch in the job's own way."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

offset_ranges = []


class Offsets:
    def __init__(self):
        self.ends = {}

    def keep(self, rdd):
        for each in rdd.offsetRanges():
            self.ends[each.topic, each.partition] = each.untilOffset
        return rdd


def store(rdd):
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd


def show(rdd):
    for o in offset_ranges:
        if o.fromOffset < o.untilOffset:
            print("%s %s %s %s" % (o.topic, o.partition, o.fromOffset, o.untilOffset))
    print(sorted(offsets.ends.items()), rdd.count())


def save(rdd):
    # plain functions may read them, too
    print(sum(o.untilOffset - o.fromOffset for o in rdd.offsetRanges()), rdd.count())


sc = SparkContext(appName="BatchCodeOffsets")
ssc = StreamingContext(sc, 1)
offsets = Offsets()
parameters = {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"}
messages = KafkaUtils.createDirectStream(ssc, ["words", "more"], parameters)
words = messages.transform(store).transform(lambda rdd: offsets.keep(rdd)).flatMap(lambda m: m[1].split(" "))
words.foreachRDD(show)
messages.foreachRDD(save)
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
