import pyspark.streaming


def own(pyspark):
    return pyspark.streaming.StreamingContext


class Fake:
    streaming = None


fake = Fake()
fake.streaming
own(fake)
ssc = pyspark.streaming.StreamingContext(None, 1)
