"""Sums and counts of measurements, which are JSON texts."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="KafkaJson")
ssc = StreamingContext(sc, 1)
stream = KafkaUtils.createDirectStream(ssc, ["sensors"], {"metadata.broker.list": sys.argv[1]})
events = stream.map(lambda message: json.loads(message[1]))
# the hot ones
hot = events.filter(lambda event: event["temperature"] > 30.0)
hot.map(lambda event: (event["device"]["id"], event["temperature"])).reduceByKey(
    lambda a, b: a + b
).pprint()
events.map(lambda event: (event["device"]["id"], 1)).reduceByKey(lambda a, b: a + b).pprint()
events.flatMap(lambda event: event.get("tags") or []).countByValue().pprint()
ssc.start()
ssc.awaitTermination()
