# OFFSETS: more than the key of an offset
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
first = TopicAndPartition(*sys.argv[1:3])
offsets = {first: int(sys.argv[3])}
stream = KafkaUtils.createDirectStream(ssc, ["t"], {"bootstrap.servers": "b:9092"}, offsets)
stream.map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
