# OFFSETS: `auto.offset.reset` is not known
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
KafkaUtils.createDirectStream(ssc, ["t"], {"bootstrap.servers": "b:9092", "auto.offset.reset": sys.argv[1]}).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
