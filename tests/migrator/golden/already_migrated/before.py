import pyspark
from dstream_compat import StreamingContext
import dstream_compat as streaming
from dstream_compat.kafka import KafkaUtils

ssc = StreamingContext(pyspark.SparkContext(), 1)
KafkaUtils.createDirectStream(ssc, ["a"], {}).pprint()
