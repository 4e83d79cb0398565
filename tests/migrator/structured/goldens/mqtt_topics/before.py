from pyspark import SparkContext, StorageLevel
from pyspark.streaming import StreamingContext
from pyspark.streaming.mqtt import MQTTUtils

BROKER = "tcp://localhost:1883"

sc = SparkContext("local[4]", "Topics")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("topics-checkpoint")


def total(values, before):
    return sum(values) + (before or 0)


rooms = []
for room in ("hall", "cellar"):
    stream = MQTTUtils.createStream(ssc, BROKER, "rooms/" + room, StorageLevel.MEMORY_ONLY)
    rooms.append(stream)
readings = ssc.union(*rooms).map(lambda text: text.split("="))
totals = readings.map(lambda pair: (pair[0], int(pair[1]))).updateStateByKey(total)
totals.pprint()
readings.window(2, 1).count().pprint()
rooms[1].foreachRDD(lambda rdd: print(rdd.count(), rdd.getNumPartitions() == 0))

ssc.start()
ssc.awaitTermination()
