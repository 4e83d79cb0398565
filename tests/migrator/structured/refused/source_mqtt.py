# SOURCE: bridge the broker's topics
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.mqtt import MQTTUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
MQTTUtils.createStream(ssc, "tcp://b:1883", "t").pprint()

ssc.start()
ssc.awaitTermination()
