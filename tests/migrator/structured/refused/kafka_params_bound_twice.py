# KAFKA_PARAMS: not bound once
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
params = {"bootstrap.servers": "b:9092"}
params = {"bootstrap.servers": "c:9092"}
KafkaUtils.createDirectStream(ssc, ["t"], params).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
