"""The same job in Python."""

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101=fixed

sc = SparkContext(appName="views")
ssc = StreamingContext(sc, 1)
logger = sc._jvm.org.apache.log4j.LogManager.getLogger("org.apache.spark.streaming")
events = ssc.socketTextStream("localhost", 9999)
events.window(10, 5).count().pprint()
ssc.start()
ssc.awaitTermination()
