# UNION: streams of the union are not known
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
streams = [KafkaUtils.createStream(ssc, 'zk', 'g' + str(i), {'t': 1}) for i in range(2)]
ssc.union(*streams).pprint()

ssc.start()
ssc.awaitTermination()
