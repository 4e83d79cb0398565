import pyspark.streaming
from dstream_compat.kafka import KafkaUtils

tools = {"spark": pyspark, "kafka": KafkaUtils}
ssc = tools["spark"].streaming.StreamingContext(None, 1)
