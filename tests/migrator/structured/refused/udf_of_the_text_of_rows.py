# TYPE: the text of (str, str) is not known
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line, line.strip())).map(lambda pair: "%s" % str(pair)).pprint()
ssc.start()
ssc.awaitTermination()
