"""Reads Kafka from offsets in a file, and writes there how far it is."""

import json
import os
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils, OffsetRange, TopicAndPartition  # expect: D101 D101 D101

STORE = "offsets.json"
ranges = []


def load(topic):
    if not os.path.exists(STORE):
        return {}
    with open(STORE) as file:
        return {TopicAndPartition(topic, int(n)): at for n, at in json.load(file).items()}


def remember(rdd):
    global ranges
    ranges = rdd.offsetRanges()
    return rdd


def save(time, rdd):
    assert all(isinstance(part, OffsetRange) for part in ranges)
    lines = sorted(rdd.collect())  # expect: D802
    print(lines)
    with open(STORE, "w") as file:
        json.dump({part.partition: part.untilOffset for part in ranges}, file)


def main(brokers, topic):
    ssc = StreamingContext(SparkContext(appName="offsets"), 1)
    params = {"metadata.broker.list": brokers, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(  # expect: D202
        ssc, [topic], params, load(topic), valueDecoder=lambda value: value.decode("latin-1")
    )
    stream.transform(remember).map(lambda record: record[1]).foreachRDD(save)
    ssc.start()
    ssc.awaitTermination()


main(*sys.argv[1:])
