"""
Counts the words in the messages of an MQTT topic, every two seconds.

Needs the MQTT library of Apache Bahir:

    $ mosquitto_pub -h localhost -t sensors/notes -m "hello from the cellar"
    $ spark-submit --packages org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0 \
        mqtt_wordcount.py tcp://localhost:1883 sensors/notes
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from dstream_compat import StreamingContext
from dstream_compat.mqtt import MQTTUtils

if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: mqtt_wordcount.py <broker url> <topic>", file=sys.stderr)
        sys.exit(-1)
    broker, topic = sys.argv[1:]

    sc = SparkContext(appName="MQTTWordCount")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 2)

    messages = MQTTUtils.createStream(ssc, broker, topic)
    counts = messages.flatMap(lambda message: message.split(" ")) \
                     .filter(lambda word: word != "") \
                     .map(lambda word: (word, 1)) \
                     .reduceByKey(lambda a, b: a + b)
    counts.pprint()

    ssc.start()
    ssc.awaitTermination()
