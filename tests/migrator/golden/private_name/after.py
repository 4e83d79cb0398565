from dstream_compat import StreamingContext
from pyspark.streaming.context import StreamingContext as Context, _helper
from pyspark.streaming.kafka import KafkaUtils, KafkaTestUtils
