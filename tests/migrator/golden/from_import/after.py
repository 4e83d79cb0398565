"""Uses pyspark.streaming; this text stays."""
from pyspark import SparkContext
from dstream_compat import StreamingContext, DStream  # from pyspark.streaming

sc = SparkContext(appName="pyspark.streaming example")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.flatMap(lambda line: line.split(" ")).pprint()
ssc.start()
ssc.awaitTermination()
