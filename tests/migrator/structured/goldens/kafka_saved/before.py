"""Saves the values of a topic, which may be missing."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

folder = sys.argv[2]
prefix = folder + "/values"

sc = SparkContext(appName="KafkaSaved")
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(ssc, ["words"], {"metadata.broker.list": sys.argv[1]})
messages.map(lambda message: message[1]).saveAsTextFiles(prefix)
ssc.start()
ssc.awaitTermination()
