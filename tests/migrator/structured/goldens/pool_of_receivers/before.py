"""Several receivers of one group, which share the records of a topic."""
import json

from pyspark import SparkContext, StorageLevel
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

RECEIVERS = 3
sc = SparkContext(appName="Pool")
ssc = StreamingContext(sc, 1)
streams = [
    KafkaUtils.createStream(
        ssc, "zookeeper:2181", "pool", {"orders": 1}, storageLevel=StorageLevel.MEMORY_ONLY
    )
    for _ in range(RECEIVERS)
]
orders = ssc.union(*streams).map(lambda record: json.loads(record[1]))
orders.map(lambda order: (order["shop"], order["price"])).reduceByKey(max).pprint()
orders.foreachRDD(lambda rdd: print(sorted(rdd.map(lambda order: order["price"]).collect())))
ssc.start()
ssc.awaitTermination()
