import pyspark
import dstream_compat.kafka

ssc = dstream_compat.StreamingContext(pyspark.SparkContext(), 1)
stream = dstream_compat.kafka.KafkaUtils.createDirectStream(
    ssc, ["a"], {}
)
