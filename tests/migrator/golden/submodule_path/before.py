import pyspark
import pyspark.streaming.kafka

ssc = pyspark.streaming.StreamingContext(pyspark.SparkContext(), 1)
stream = pyspark.streaming.kafka.KafkaUtils.createDirectStream(
    ssc, ["a"], {}
)
