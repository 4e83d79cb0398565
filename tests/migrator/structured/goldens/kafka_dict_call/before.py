"""Reads with settings of a call of dict."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="KafkaDictCall")
ssc = StreamingContext(sc, 1)
settings = dict(**{"metadata.broker.list": sys.argv[1]})
topic = "words"
lines = KafkaUtils.createDirectStream(ssc, [topic], settings).map(lambda kv: kv[1])
lines.count().pprint()
lines.pprint()

ssc.start()
ssc.awaitTermination()
