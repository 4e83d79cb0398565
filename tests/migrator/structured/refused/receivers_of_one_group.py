# GROUP: receivers of one group share the records
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
first = KafkaUtils.createStream(ssc, "zk", "group", {"topic": 1})
second = KafkaUtils.createStream(ssc, "zk", sys.argv[1], {"topic": 1})
first.union(second).map(lambda kv: kv[1]).pprint()
ssc.start()
ssc.awaitTermination()
