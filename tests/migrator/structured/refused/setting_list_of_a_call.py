# SETTING: the settings of the SparkContext are not known
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from settings import settings

sc = SparkContext(appName="Refused", conf=SparkConf().setAll(settings()))
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
