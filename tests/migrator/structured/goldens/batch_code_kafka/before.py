"""Sends what it reads from Kafka somewhere else, by partition."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def main(brokers):
    sc = SparkContext(appName="BatchCodeKafka")
    ssc = StreamingContext(sc, 1)
    stream = KafkaUtils.createDirectStream(ssc, ["orders"], {"metadata.broker.list": brokers})
    orders = stream.mapValues(json.loads)

    def send(rows):
        with open("sent.log", "a") as log:
            for key, order in rows:
                log.write("%s %s\n" % (key, sorted(order.items())))

    def forward(rdd):
        if not rdd.isEmpty():
            rdd.foreachPartition(send)

    orders.foreachRDD(forward)
    orders.map(lambda pair: pair[1]).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1])
