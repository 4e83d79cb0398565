# KAFKA_PARAMS: is not a literal
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
name = sys.argv[1]
KafkaUtils.createDirectStream(ssc, ["t"], {name: "b:9092"}).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
