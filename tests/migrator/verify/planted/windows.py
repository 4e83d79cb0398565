from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="windows")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

words = ssc.socketTextStream("localhost", 9999)
pairs = words.map(lambda word: (word, 1))
recent = pairs.reduceByKeyAndWindow(
    lambda a, b: a + b, lambda a, b: a - b, 3, 1, filterFunc=lambda pair: pair[1] > 0
)
recent.pprint()
sizes = pairs.window(2, 2).count()
sizes.pprint()

ssc.start()
ssc.awaitTermination()
