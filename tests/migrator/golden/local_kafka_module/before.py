from kafka import KafkaUtils
from .streaming import StreamingContext
from mypyspark.streaming import DStream
import streaming

KafkaUtils.createStream(1, 2, 3, 4)
StreamingContext(1)
