"""Saves the users that are seen in a topic, and logs how many records had none."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def log(rdd):
    without = rdd.filter(lambda user: user is None).count()
    with open("without.log", "a") as file:
        file.write("%d\n" % without)


sc = SparkContext(appName="KafkaSave")
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(
    ssc, sys.argv[2].split(","), {"metadata.broker.list": sys.argv[1]}
)
users = messages.map(lambda kv: json.loads(kv[1]).get("user"))
users.filter(lambda user: user is not None).saveAsTextFiles(sys.argv[3])
users.foreachRDD(log)
messages.map(lambda kv: (kv[0], [len(kv[1])])).pprint()
ssc.start()
ssc.awaitTermination()
