"""Decodes the messages of Kafka itself."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def key_of(data):
    if data is None:
        return "none"
    return bytes(data).decode("utf-8").upper()


sc = SparkContext(appName="BatchCodeDecoders")
ssc = StreamingContext(sc, 1)
orders = KafkaUtils.createDirectStream(
    ssc,
    ["orders"],
    {"metadata.broker.list": sys.argv[1], "auto.offset.reset": "smallest"},
    keyDecoder=key_of,
    valueDecoder=lambda data: json.loads(data.decode("utf-8")),
)
orders.map(lambda order: (order[0], sorted(order[1].items()))).pprint()
counts = orders.map(lambda order: (order[0], len(order[1]))).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
