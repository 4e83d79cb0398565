# SOURCE: aws-kinesis
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kinesis import KinesisUtils

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
KinesisUtils.createStream(ssc, "a", "s", "e", "r", 1, 2).pprint()

ssc.start()
ssc.awaitTermination()
