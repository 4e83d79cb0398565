"""Counts the words in the messages of a topic of MQTT."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.mqtt import MQTTUtils

if __name__ == "__main__":
    sc = SparkContext(appName="MqttWordCount")
    ssc = StreamingContext(sc, 1)

    lines = MQTTUtils.createStream(ssc, sys.argv[1], "sensors/notes")
    lines.count().pprint()
    words = lines.flatMap(lambda line: line.split(" "))
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    counts.pprint()
    counts.count().pprint()

    ssc.start()
    ssc.awaitTermination()
