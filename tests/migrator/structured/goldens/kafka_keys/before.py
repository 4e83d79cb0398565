"""Counts the records of each key."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

BROKERS = sys.argv[1]
sc = SparkContext(appName="KafkaKeys")
ssc = StreamingContext(sc, 1)
params = {"bootstrap.servers": BROKERS, "group.id": "keys", "fetch.message.max.bytes": "1048576"}
records = KafkaUtils.createDirectStream(ssc, ["words"], kafkaParams=params)
records.filter(lambda kv: kv[0] is not None).map(lambda kv: (kv[0], 1)).reduceByKey(lambda a, b: a + b).pprint()
records.pprint()

ssc.start()
ssc.awaitTermination()
