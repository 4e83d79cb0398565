"""Counts events by type, from two topics of Kafka."""

import json
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils  # expect: D101

ZOOKEEPER = "zk-1:2181,zk-2:2181/kafka"


def parse(record):
    return json.loads(record[1])


def main(interval):
    sc = SparkContext(conf=SparkConf().setAppName("events"))
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, interval)
    clicks = KafkaUtils.createStream(ssc, ZOOKEEPER, "events", {"clicks": 2})  # expect: D201
    orders = KafkaUtils.createStream(  # expect: D201
        ssc,
        ZOOKEEPER,
        "events-orders",
        {"orders": 1},
        {"auto.offset.reset": "smallest"},  # from the first one on
    )
    more = [
        KafkaUtils.createStream(  # expect: D201
            ssc, ZOOKEEPER, "events-%s" % topic, {topic: 1}, kafkaParams={"auto.offset.reset": "smallest"}
        )
        for topic in ("returns", "letters")
    ]
    events = ssc.union(clicks, orders, *more).map(parse)
    counts = events.map(lambda event: (event["type"], event.get("n", 1)))
    counts.reduceByKey(lambda a, b: a + b).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(int(sys.argv[1]))
