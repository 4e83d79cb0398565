from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils  # expect: D101

RECEIVERS = 8

conf = SparkConf().setAll(
    [
        ("spark.streaming.receiver.maxRate", "1000"),  # expect: D703
        ("spark.streaming.blockInterval", "200ms"),  # expect: D704
        ("spark.streaming.concurrentJobs", "2"),  # expect: D704
    ]
)
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 10)
streams = [
    KafkaUtils.createStream(ssc, "zk:2181", "group-%d" % i, {"events": 1})  # expect: D201
    for i in range(RECEIVERS)
]
events = ssc.union(*streams).map(lambda x: x[1])
parts = events.repartition(16).glom()
parts.count().pprint()
first, *others = streams
first.pprint()
for other in others:
    other.top(3)  # expect: D301
ssc.start()
ssc.awaitTermination()
