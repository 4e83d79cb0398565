"""Keeps the offsets of each batch in a file of its own, and begins with those that are there."""
import json
import os
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

OFFSETS = "offsets.json"


def load():
    if not os.path.exists(OFFSETS):
        return {}
    with open(OFFSETS) as file:
        return {TopicAndPartition(name, part): end for name, part, end in json.load(file)}


def store(rdd):
    ends = [(each.topic, each.partition, each.untilOffset) for each in rdd.offsetRanges()]
    with open(OFFSETS, "w") as file:
        json.dump(ends, file)
    return rdd


sc = SparkContext(appName="OffsetsInAFile")
ssc = StreamingContext(sc, 1)
orders = KafkaUtils.createDirectStream(
    ssc,
    ["orders"],
    {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"},
    fromOffsets=load(),
)
amounts = orders.transform(store).map(lambda order: json.loads(order[1]))
totals = amounts.map(lambda order: (order["item"], order["amount"])).reduceByKey(lambda a, b: a + b)
totals.pprint()
ssc.start()
ssc.awaitTermination()
