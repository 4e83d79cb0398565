"""Counts the words of Kafka records over windows."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="KafkaWindow")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = KafkaUtils.createDirectStream(ssc, ["words"], {"bootstrap.servers": sys.argv[1]}).map(lambda kv: kv[1])
pairs = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 2, 1).pprint()

ssc.start()
ssc.awaitTermination()
