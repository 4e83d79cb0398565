from dstream_compat import *
from dstream_compat.kafka import *

ssc = StreamingContext(None, 1)
KafkaUtils.createDirectStream(ssc, ["a"], {})
