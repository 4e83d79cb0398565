# FUNCTION: a function is called with a stream, and is no part of the job
import steps

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Refused"), 1)
steps.each_word(ssc.socketTextStream("localhost", 9999)).pprint()
ssc.start()
ssc.awaitTermination()
