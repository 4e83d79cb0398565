# JSON_SHAPE: the shape of the JSON texts
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
import json

KafkaUtils.createDirectStream(ssc, ["t"], {"bootstrap.servers": "b:9092"}, valueDecoder=lambda data: json.loads(data.decode("utf-8"))).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
