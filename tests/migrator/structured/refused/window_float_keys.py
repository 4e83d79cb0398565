# FLOAT_VALUES: NaN and -0.0
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.map(lambda line: len(line) * 0.5).countByValueAndWindow(60, 10).pprint()

ssc.start()
ssc.awaitTermination()
