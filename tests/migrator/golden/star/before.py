from pyspark.streaming import *
from pyspark.streaming.kafka import *

ssc = StreamingContext(None, 1)
KafkaUtils.createDirectStream(ssc, ["a"], {})
