"""Counts readings by the bytes that they begin with, and stamps each of them."""
import hashlib
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def sensor(data):
    return data if data is None else b"sensor " + data


def stamp(reading):
    name, data = reading
    return {name: "missing" if data is None else hashlib.sha256(data).hexdigest()[:8]}


sc = SparkContext(appName="BatchCodeRawValues")
ssc = StreamingContext(sc, 1)
readings = KafkaUtils.createDirectStream(
    ssc,
    ["readings"],
    {"metadata.broker.list": sys.argv[1]},
    keyDecoder=sensor,
    valueDecoder=lambda data: data,
)
readings.map(stamp).pprint()
kinds = readings.map(lambda reading: (reading[1][:1], 1)).reduceByKey(lambda a, b: a + b)
kinds.pprint()
ssc.start()
ssc.awaitTermination()
