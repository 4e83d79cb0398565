# OFFSETS: not those of `fromOffsets`
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
KafkaUtils.createDirectStream(ssc, ["t", "u"], {"bootstrap.servers": "b:9092"}, {TopicAndPartition("t", 0): 5}).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
