# SOURCE: Kafka sink of Flume
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.flume import FlumeUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
FlumeUtils.createPollingStream(ssc, [("h", 1)]).pprint()

ssc.start()
ssc.awaitTermination()
