# KAFKA_PARAMS: not a dict that is written here
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
import settings

KafkaUtils.createDirectStream(ssc, ["t"], settings.load()).map(lambda kv: kv[1]).pprint()

ssc.start()
ssc.awaitTermination()
