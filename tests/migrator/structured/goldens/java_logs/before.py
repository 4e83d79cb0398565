"""Sets the levels of log4j in the JVM."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def quiet_logs(sc):
    logger = sc._jvm.org.apache.log4j
    logger.LogManager.getLogger("org").setLevel(logger.Level.ERROR)
    logger.LogManager.getLogger("akka").setLevel(logger.Level.ERROR)


sc = SparkContext(appName="JavaLogs")
quiet_logs(sc)
# only errors
log4j = sc._jvm.org.apache.log4j
log4j.LogManager.getRootLogger().setLevel(log4j.Level.ERROR)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.pprint()
ssc.start()
ssc.awaitTermination()
