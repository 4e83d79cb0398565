from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="QueueWindows")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
numbers = ssc.queueStream([[1, 2], [3], [], [4, 1], [5], [2]])
pairs = numbers.map(lambda number: (number % 2, number))
pairs.updateStateByKey(lambda new, old: (old or []) + sorted(new)).pprint()
pairs.window(4, 2).groupByKey().mapValues(lambda values: sorted(values)).pprint()
numbers.window(2, 2).countByWindow(4, 4).pprint()
ssc.start()
ssc.awaitTermination()
