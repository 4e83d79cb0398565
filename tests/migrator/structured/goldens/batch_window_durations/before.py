"""Windows whose lengths are known when the job starts, of records of Kafka."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

INTERVAL = 1


def main(brokers, window, slide):
    length, step = int(window), int(slide)
    sc = SparkContext(appName="BatchWindowDurations")
    ssc = StreamingContext(sc, INTERVAL)
    ssc.checkpoint("checkpoint")
    stream = KafkaUtils.createDirectStream(ssc, ["orders"], {"metadata.broker.list": brokers})
    orders = stream.mapValues(json.loads)
    orders.window(length, step).mapValues(lambda order: sorted(order.items())).pprint()
    totals = orders.mapValues(lambda order: [order.get("n")]).reduceByKeyAndWindow(
        lambda a, b: a + b, lambda a, b: a[len(b):], length, step
    )
    totals.mapValues(len).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
