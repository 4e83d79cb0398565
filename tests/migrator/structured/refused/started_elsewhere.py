# START: the job is started in another function
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()


def run():
    ssc.start()


run()
ssc.awaitTermination()
