# SETTING: this call of SparkConf is not known
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from settings import settings

conf = SparkConf().setAll(settings())
sc = SparkContext(appName="Refused", conf=conf)
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
