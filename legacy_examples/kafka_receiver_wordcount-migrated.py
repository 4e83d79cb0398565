"""
Word counts of a Kafka topic read through receivers and ZooKeeper, with several receivers
united into one stream.

    $ spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 \
        kafka_receiver_wordcount.py zookeeper:2181 sentences 2
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.storagelevel import StorageLevel
from dstream_compat import StreamingContext
from dstream_compat.kafka import KafkaUtils

GROUP = "wordcount-consumer"


def open_stream(ssc, quorum, topic):
    return KafkaUtils.createStream(ssc, quorum, GROUP, {topic: 1},
                                   storageLevel=StorageLevel.MEMORY_AND_DISK)


def main():
    if len(sys.argv) < 3:
        print("Usage: kafka_receiver_wordcount.py <zookeeper> <topic> [receivers]",
              file=sys.stderr)
        exit(-1)
    quorum, topic = sys.argv[1], sys.argv[2]
    receivers = int(sys.argv[3]) if len(sys.argv) > 3 else 1

    sc = SparkContext(appName="KafkaReceiverWordCount")
    ssc = StreamingContext(sc, 5)

    streams = [open_stream(ssc, quorum, topic) for _ in range(receivers)]
    lines = ssc.union(*streams).map(lambda x: x[1])
    counts = lines.flatMap(lambda line: line.split(" ")) \
                  .map(lambda word: (word, 1)) \
                  .reduceByKey(lambda a, b: a + b)
    counts.pprint()

    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
