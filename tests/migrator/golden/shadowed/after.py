import pyspark
import dstream_compat


def own(pyspark):
    return pyspark.streaming.StreamingContext


class Fake:
    streaming = None


fake = Fake()
fake.streaming
own(fake)
ssc = dstream_compat.StreamingContext(None, 1)
