from dstream_compat import StreamingContext as SC, DStream as Stream
from dstream_compat.kafka import (
    KafkaUtils as K,  # the helper
    OffsetRange,
    TopicAndPartition as TP,
)

ssc = SC(None, 1)
stream = K.createDirectStream(ssc, ["a"], {"metadata.broker.list": "b:9092"})
assert isinstance(stream, Stream)
