import pyspark.streaming


def own(pyspark):
    return pyspark.streaming.StreamingContext


ssc = pyspark.streaming.StreamingContext(None, 1)
