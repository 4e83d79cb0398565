# OFFSET_RANGES: as it reads another stream or has state
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

offset_ranges = []


def remember_offsets(rdd):
    # only the RDD of the stream itself knows its offsets, so this must be the first step
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd


def print_offsets(rdd):
    for o in offset_ranges:
        print("%s[%d] %d -> %d" % (o.topic, o.partition, o.fromOffset, o.untilOffset))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: direct_kafka_wordcount.py <broker list> <topics>", file=sys.stderr)
        sys.exit(-1)
    brokers, topics = sys.argv[1:]

    sc = SparkContext(appName="DirectKafkaWordCount")
    ssc = StreamingContext(sc, 2)

    messages = KafkaUtils.createDirectStream(
        ssc, topics.split(","), {"metadata.broker.list": brokers, "auto.offset.reset": "smallest"}
    )
    counts = (
        messages.transform(remember_offsets)
        .map(lambda x: x[1])
        .flatMap(lambda line: line.split(" "))
        .map(lambda word: (word, 1))
        .reduceByKey(lambda a, b: a + b)
    )
    counts.pprint()
    ssc.checkpoint("cp")
    messages.map(lambda x: (x[1], 1)).updateStateByKey(
        lambda new, old: sum(new) + (old or 0)
    ).foreachRDD(print_offsets)

    ssc.start()
    ssc.awaitTermination()
