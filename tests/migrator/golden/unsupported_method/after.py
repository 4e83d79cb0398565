from functools import partial

from dstream_compat import StreamingContext
from dstream_compat.kafka import KafkaDStream

ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream("in")


def save(rdd, table="events"):
    rdd.toDF().write.saveAsTable(table)


clean = lines.transform(lambda rdd: rdd.distinct()).map(len)
clean.window(10).pprint()
lines.window(10).transform(lambda rdd: rdd.distinct()).pprint()
if lines.count() > 0:
    print("records:", lines.count())
lines.foreachRDD(partial(save, table="lines"))
lines.foreachRDD(save)
ssc.addStreamingListener(None)
lines.slice(0, 1)
lines.foreach(save)
