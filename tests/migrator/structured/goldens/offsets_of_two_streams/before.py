"""Keeps the offsets of two topics in files of their own, those of one if a batch has no records."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

counts = {"returns": 0}


def save(name, ranges):
    ends = [(each.topic, each.partition, each.fromOffset, each.untilOffset) for each in ranges]
    with open(name, "w") as file:
        json.dump(ends, file)


def keep_orders(rdd):
    save("orders.json", rdd.offsetRanges())
    return rdd


def keep_returns(rdd):
    counts["returns"] += rdd.count()
    if counts["returns"] and rdd.isEmpty():
        save("returns.json", rdd.offsetRanges())
    return rdd


sc = SparkContext(appName="OffsetsOfTwoStreams")
ssc = StreamingContext(sc, 1)
settings = {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"}
orders = KafkaUtils.createDirectStream(ssc, ["orders"], settings)
returns = KafkaUtils.createDirectStream(ssc, ["returns"], settings)
orders.transform(keep_orders).map(lambda order: order[1]).pprint()
returns.transform(keep_returns).map(lambda order: order[1]).pprint()
ssc.start()
ssc.awaitTermination()
