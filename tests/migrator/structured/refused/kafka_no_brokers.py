# BROKERS: names no brokers
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
KafkaUtils.createDirectStream(ssc, ["t"], {"group.id": "g"}).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
