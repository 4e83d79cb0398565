try:
    from pyspark.streaming.kafka import KafkaUtils
except ImportError:
    KafkaUtils = None


def open_stream(ssc):
    if KafkaUtils is None:
        return None
    return KafkaUtils.createDirectStream(ssc, ["a"], {})
