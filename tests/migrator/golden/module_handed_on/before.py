import pyspark.streaming
from pyspark.streaming.kafka import KafkaUtils

tools = {"spark": pyspark, "kafka": KafkaUtils}
ssc = tools["spark"].streaming.StreamingContext(None, 1)
