from pyspark.streaming import StreamingContext
from pyspark.streaming.context import StreamingContext as Context, _helper
from pyspark.streaming.kafka import KafkaUtils, KafkaTestUtils
