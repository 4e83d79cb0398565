import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Chain")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
prices = lines.filter(lambda line: "=" in line).map(lambda line: float(line.split("=")[1]))
prices.filter(lambda price: price > 0.5).pprint()
prices.map(str).pprint()
ssc.start()
ssc.awaitTermination()
