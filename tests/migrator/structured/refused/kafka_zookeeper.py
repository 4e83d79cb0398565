# BROKERS: give them by --kafka-brokers
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
KafkaUtils.createStream(ssc, "zk:2181", "g", {"t": 1}).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
