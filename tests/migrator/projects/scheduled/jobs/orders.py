"""Sums orders by customer; topics and brokers come from a file."""

import json
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils  # expect: D101


def load(path):
    with open(path) as file:
        return json.load(file)


def total(values, old):
    return sum(values) + (old or 0)


def main(path):
    config = load(path)
    conf = SparkConf().setAppName(config["name"]).setAll(config["spark"].items())
    ssc = StreamingContext(SparkContext(conf=conf), config["interval"])
    ssc.checkpoint(config["checkpoint"])
    orders = KafkaUtils.createDirectStream(ssc, **config["kafka"])  # expect: D202
    sums = (
        orders.map(lambda record: record[1].split(","))
        .map(lambda order: (order[0], float(order[1])))
        .updateStateByKey(total)
    )
    sums.foreachRDD(show)
    ssc.start()
    ssc.awaitTermination()


def show(time, rdd):
    for customer, amount in sorted(rdd.collect()):  # expect: D802
        print("%s %s %.2f" % (int(time.timestamp()), customer, amount))


if __name__ == "__main__":
    main(sys.argv[1])
