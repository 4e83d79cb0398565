# FUNCTION: called with a stream
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
def words(stream):
    return stream.flatMap(lambda line: line.split(" "))


words(lines).pprint()
ssc.start()
ssc.awaitTermination()
